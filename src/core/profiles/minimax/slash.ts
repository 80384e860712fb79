/** One name, ASCII, with one optional prefix and colon, and nothing but a blank or the end behind it. */
const slashName = /^\/([A-Za-z0-9][A-Za-z0-9._-]*(?::[A-Za-z0-9][A-Za-z0-9._-]*)?)(?:\s|$)/u;

/** A skill that a message asks for, and what is put in front of the message. */
export interface SlashReminder {
  /** Spelling of the skill, not of the message. */
  readonly name: string;
  readonly text: string;
}

/**
 * The reminder that MiniMax Code puts in front of a message that starts with `/NAME` (feature X14; spec minimax 5.2,
 * golden `minimax.slash`). The first message that starts so decides; names are compared without case, and of several
 * equal ones the first counts. Null: nothing is added.
 */
export function slashReminder(messages: readonly string[], names: readonly string[]): SlashReminder | null {
  const requested = messages
    .map((text) => slashName.exec(text.trimStart())?.[1])
    .find((name) => name !== undefined);
  const wanted = requested?.toLowerCase();
  const name = names.find((known) => known.toLowerCase() === wanted);
  if (name === undefined || name === "") return null;
  const sentence = `The user explicitly requested the \`${name}\` skill. Load it with the \`skill\` tool and follow it.`;
  return { name, text: `<system-reminder>\n${sentence}\n</system-reminder>` };
}
