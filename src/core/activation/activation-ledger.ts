/** Who brought a skill into a conversation. */
export type Activator = "model" | "user" | "attachment" | "preload";

/** One time that a skill came into a conversation. */
export interface Activation {
  /** Counts from 1 in the order of the conversation. */
  readonly order: number;
  readonly name: string;
  /** Path of SKILL.md. */
  readonly location: string;
  /** Of SKILL.md at that time. */
  readonly digest: string;
  readonly by: Activator;
  readonly arguments: string;
  /** The whole text, a note that it was given before, or only its name. */
  readonly given: "text" | "note" | "name";
  /** Of what was given. */
  readonly tokens: number;
  /** The conversation still holds what was given; false after a compaction that did not bring it back. */
  readonly inContext: boolean;
}

/** Everything that a conversation was given of skills, oldest first. */
export type Ledger = readonly Activation[];

export type NewActivation = Omit<Activation, "order" | "inContext">;

/** The ledger with one more entry. */
export function recorded(ledger: Ledger, activation: NewActivation): Ledger {
  return [...ledger, { ...activation, order: (ledger.at(-1)?.order ?? 0) + 1, inContext: true }];
}

/** The entry by which a conversation still has exactly this text, or null. */
export function heldText(
  ledger: Ledger,
  wanted: Pick<Activation, "location" | "digest" | "arguments">,
): Activation | null {
  return (
    ledger.findLast(
      ({ location, digest, arguments: words, given, inContext }) =>
        inContext &&
        given === "text" &&
        location === wanted.location &&
        digest === wanted.digest &&
        words === wanted.arguments,
    ) ?? null
  );
}

/** The last whole text that was given of each skill, newest first. */
export function latestTexts(ledger: Ledger): readonly Activation[] {
  const seen = new Set<string>();
  return ledger
    .filter(({ given }) => given === "text")
    .reverse()
    .filter(({ location }) => {
      if (seen.has(location)) return false;
      seen.add(location);
      return true;
    });
}

/** The ledger after a compaction: nothing is in context any more. */
export function forgotten(ledger: Ledger): Ledger {
  return ledger.map((activation) =>
    activation.inContext ? { ...activation, inContext: false } : activation,
  );
}
