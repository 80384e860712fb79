/** Whether commands in skills run: never, after a question to the user, or at once. */
export type CommandPolicy = "off" | "ask" | "allow";

const strictness: readonly CommandPolicy[] = ["off", "ask", "allow"];

/**
 * The stricter of the setting `policy.commands` and what the caller wants (default: nothing runs). Where the setting is
 * absent the caller decides; one that cannot be read means "off".
 */
export function commandPolicy(
  policy: Readonly<Record<string, unknown>>,
  wanted: CommandPolicy | undefined,
): CommandPolicy {
  const set = Object.hasOwn(policy, "commands") ? policy.commands : undefined;
  if (set === undefined || set === null) return wanted ?? "off";
  const known = strictness.find((word) => word === set) ?? "off";
  return wanted === undefined || strictness.indexOf(known) <= strictness.indexOf(wanted) ? known : wanted;
}
