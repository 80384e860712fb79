/** Real folders that were entered, for roots in which each counts once. */
export interface VisitedFolders {
  /** False when it was entered before. */
  add(real: string): boolean;
  /** From now on a folder may be met a second time: a link is about to be followed. */
  expectRepeats(): void;
  readonly count: number;
  /** Forgets every folder but the first `count`. */
  forget(count: number): void;
}

/**
 * As long as nothing can lead to one folder twice (no links, and no root inside another one), the folders are only
 * noted: a table of ten thousand paths costs as much as reading a fifth of the files. `repeats` when roots overlap.
 */
export function createVisitedFolders({ repeats }: { readonly repeats: boolean }): VisitedFolders {
  const noted: string[] = [];
  let known: Set<string> | null = repeats ? new Set() : null;
  return {
    add(real) {
      if (known !== null) {
        const before = known.size;
        known.add(real);
        if (known.size === before) return false;
      }
      noted.push(real);
      return true;
    },
    expectRepeats() {
      known ??= new Set(noted);
    },
    get count() {
      return noted.length;
    },
    forget(count) {
      noted.length = Math.min(count, noted.length);
      if (known !== null) known = new Set(noted);
    },
  };
}
