import type { Page } from "./canvas.ts";

/** A part of the flow that is drawn on one page, or cut in two. */
export interface Piece {
  readonly height: number;
  /** Draws with its upper left corner there; `numbers` are known when all pages are. */
  readonly draw: (page: Page, x: number, y: number) => void;
  /** Must not be the last on a page. */
  readonly keep?: boolean;
  /** Space above that is dropped at the top of a page. */
  readonly before?: number;
  readonly startsPage?: boolean;
  /** Repeated on top when the flow goes on with this piece on a new page. */
  readonly repeat?: Piece;
  /** The part that fits in the height and the rest; null when nothing fits. */
  readonly split?: (height: number) => readonly [Piece, Piece] | null;
  readonly mark?: { readonly title: string; readonly level: number };
}

export interface PlacedPiece {
  readonly piece: Piece;
  readonly y: number;
}

/** Pieces on pages of one height each: what is kept together stays so unless it is higher than a page. */
export function paginate(pieces: readonly Piece[], height: number): readonly (readonly PlacedPiece[])[] {
  const pages: PlacedPiece[][] = [[]];
  let y = 0;
  const page = (): PlacedPiece[] => pages.at(-1) as PlacedPiece[];
  const next = (): void => {
    pages.push([]);
    y = 0;
  };
  const put = (piece: Piece): void => {
    if (y > 0) y += piece.before ?? 0;
    page().push({ piece, y });
    y += piece.height;
  };
  const queue = [...pieces].reverse();
  while (queue.length > 0) {
    const piece = queue.pop();
    if (piece === undefined) break;
    if (piece.startsPage && y > 0) next();
    const needed = (y > 0 ? (piece.before ?? 0) : 0) + piece.height;
    // A heading goes with the first line of what follows.
    const following = piece.keep ? queue.at(-1) : undefined;
    const together = needed + (following ? Math.min((following.before ?? 0) + following.height, 40) : 0);
    if (y + together <= height + 0.01 || (y === 0 && needed <= height)) {
      put(piece);
      continue;
    }
    const halves = piece.split?.(height - y - (y > 0 ? (piece.before ?? 0) : 0)) ?? null;
    const worthIt = piece.height > height * 0.25;
    if (halves !== null && (y === 0 || worthIt)) {
      put(halves[0]);
      queue.push(halves[1]);
      next();
    } else if (y > 0) {
      next();
      if (piece.repeat && piece.repeat.height + piece.height <= height) put(piece.repeat);
      queue.push({ ...piece, startsPage: false });
    } else put(piece);
    if (halves !== null && piece.repeat && y === 0 && piece.repeat.height < height / 2) put(piece.repeat);
  }
  return pages;
}

export function heightOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece, at) => sum + piece.height + (at > 0 ? (piece.before ?? 0) : 0), 0);
}

/** Draws pieces one below the other. */
export function drawStack(
  pieces: readonly Piece[],
  page: Page,
  place: { readonly x: number; readonly y: number },
): void {
  let y = place.y;
  pieces.forEach((piece, at) => {
    if (at > 0) y += piece.before ?? 0;
    piece.draw(page, place.x, y);
    y += piece.height;
  });
}
