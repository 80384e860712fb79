/** Escape sequences: CSI, OSC and other strings up to their end, and two-character ones. */
const sequences =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** A text without escape sequences and control characters; line breaks and tabs stay (spec minimax 5.3). */
export function terminalText(text: string): string {
  return text.replace(sequences, "").replace(controls, "");
}
