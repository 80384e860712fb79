/** A short text and a longer one about the same thing. */
export interface Entry {
  readonly title: string;
  readonly text: string;
}

/** One kind of training text. */
export interface Source {
  readonly name: string;
  readonly entries: readonly Entry[];
}
