/** Mentions whose bodies are put into the message; the rest are only named (feature M18). */
const injectedAtMost = 3;

/** From this many on the model is told how to combine them. */
const orchestratedFrom = 2;

export interface Mentions {
  /** Order of first appearance. */
  readonly mentioned: readonly string[];
  readonly injected: readonly string[];
  readonly orchestration: boolean;
}

/**
 * `/name` mentions as the mirrored system finds them (golden `mimo.mentions`): text between triple backticks and between
 * single backticks on one line is taken out, then a slash at the start or after white space counts when the whole word
 * behind it is the name of an available skill, case included. Paths such as `/alpha/src` trigger too.
 */
export function findMimoMentions(text: string, available: readonly string[]): Mentions {
  const names = new Set(available);
  const mentioned = new Set<string>();
  for (const [, name = ""] of withoutCode(text).matchAll(/(?:^|\s)\/([A-Za-z][A-Za-z0-9_:-]*)/g)) {
    if (names.has(name)) mentioned.add(name);
  }
  const all = [...mentioned];
  return {
    mentioned: all,
    injected: all.slice(0, injectedAtMost),
    orchestration: all.length >= orchestratedFrom,
  };
}

function withoutCode(text: string): string {
  return cut(cut(text, "```", false), "`", true);
}

/** Puts a blank in place of the spans between two marks; with `oneLine` a span holds no line feed. Linear. */
function cut(text: string, mark: string, oneLine: boolean): string {
  let kept = "";
  let from = 0;
  let at = text.indexOf(mark);
  while (at >= 0) {
    const end = text.indexOf(mark, at + mark.length);
    if (end < 0) break;
    const inner = text.slice(at + mark.length, end);
    if (!oneLine || !inner.includes("\n")) {
      kept += `${text.slice(from, at)} `;
      from = end + mark.length;
      at = text.indexOf(mark, from);
    } else {
      at = end;
    }
  }
  return kept + text.slice(from);
}
