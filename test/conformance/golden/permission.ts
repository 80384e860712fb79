import { evaluate, isDisabled, matchWildcard, type PermissionRule } from "../../../src/index.ts";
import { compare, type GoldenSuite } from "./golden-file.ts";

interface PermissionInput {
  readonly rules: readonly PermissionRule[];
  readonly permission?: string;
  readonly pattern?: string;
  readonly tool?: string;
}

/** `mimo.permission`: what a list of rules says of one request, or whether it takes a tool away. */
export const permissionSuite: GoldenSuite = ({ input, expected }) => {
  const { rules, permission = "", pattern = "", tool } = input as PermissionInput;
  return compare(
    expected,
    tool === undefined
      ? { action: evaluate(rules, permission, pattern).action }
      : { disabled: isDisabled(rules, tool) },
  );
};

/** `mimo.wildcard`: whether a value matches a pattern. */
export const wildcardSuite: GoldenSuite = ({ input, expected }) => {
  const { value, pattern } = input as { readonly value: string; readonly pattern: string };
  return compare(expected, matchWildcard(value, pattern));
};
