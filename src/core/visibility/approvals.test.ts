import { describe, expect, test } from "vitest";
import { type Approvals, ask, askNobody, noApprovals, type PendingAsk, reply } from "./approvals.ts";
import type { PermissionRule } from "./permission.ts";

const rule = (pattern: string, action: PermissionRule["action"]): PermissionRule => ({
  permission: "skill",
  pattern,
  action,
});
const asking = [rule("*", "ask")];
const request = (id: string, name: string, session = "s1"): PendingAsk => ({
  id,
  session,
  permission: "skill",
  patterns: [name],
  always: [name],
});
const waiting = (...requests: readonly PendingAsk[]): Approvals =>
  requests.reduce((state, one) => ask(state, one, asking).state, noApprovals);
const ids = ({ pending }: Approvals) => pending.map(({ id }) => id);

describe("ask", () => {
  test.each<
    [name: string, rules: readonly PermissionRule[], saved: readonly PermissionRule[], outcome: string]
  >([
    ["allowed by a rule", [rule("*", "allow")], [], "allowed"],
    ["denied by a rule", [rule("*", "deny")], [], "denied"],
    ["a rule's denial stands against an approval", [rule("pdf", "deny")], [rule("pdf", "allow")], "denied"],
    ["an approval answers the question", asking, [rule("pdf", "allow")], "allowed"],
    ["an approval of another name does not", asking, [rule("doc", "allow")], "pending"],
    ["no rule at all asks", [], [], "pending"],
  ])("%s", (_, rules, saved, outcome) => {
    const result = ask({ saved, pending: [] }, request("1", "pdf"), rules);
    expect(result.outcome).toBe(outcome);
    expect(ids(result.state)).toEqual(outcome === "pending" ? ["1"] : []);
  });

  test("every pattern of a request has to be allowed", () => {
    const both = { ...request("1", "a"), patterns: ["a", "b"] };
    expect(ask({ saved: [rule("a", "allow")], pending: [] }, both, asking).outcome).toBe("pending");
    expect(ask(noApprovals, both, [rule("*", "allow"), rule("b", "deny")]).outcome).toBe("denied");
  });

  test("where nobody can be asked the question is refused", () => {
    expect(askNobody(noApprovals, request("1", "pdf"), asking)).toBe("denied");
    expect(askNobody({ saved: [rule("p*", "allow")], pending: [] }, request("1", "pdf"), asking)).toBe(
      "allowed",
    );
  });
});

describe("reply", () => {
  const rulesOf = () => asking;

  test("once settles one question and remembers nothing", () => {
    const { state, settled } = reply(
      waiting(request("1", "a"), request("2", "a")),
      { id: "1", reply: { kind: "once" } },
      rulesOf,
    );
    expect(settled).toEqual([{ id: "1", outcome: "allowed", feedback: null }]);
    expect([ids(state), state.saved]).toEqual([["2"], []]);
  });

  test("always is remembered and settles what it covers in its session alone", () => {
    const before = waiting(request("1", "a"), request("2", "b"), request("3", "a"), request("4", "a", "s2"));
    const { state, settled } = reply(before, { id: "1", reply: { kind: "always" } }, rulesOf);
    expect(settled.map(({ id }) => id)).toEqual(["1", "3"]);
    expect(ids(state)).toEqual(["2", "4"]);
    expect(state.saved).toEqual([rule("a", "allow")]);
    expect(ask(state, request("5", "a", "s2"), asking).outcome).toBe("allowed");
  });

  test("always does not settle what a rule denies by now", () => {
    const before = waiting(request("1", "a"), request("2", "a"));
    const { state } = reply(before, { id: "1", reply: { kind: "always" } }, () => [rule("a", "deny")]);
    expect(ids(state)).toEqual(["2"]);
  });

  test("reject takes the whole session with it, feedback goes to the question that was answered", () => {
    const before = waiting(request("1", "a"), request("2", "b"), request("3", "c", "s2"));
    const { state, settled } = reply(
      before,
      { id: "2", reply: { kind: "reject", feedback: "use d" } },
      rulesOf,
    );
    expect(settled).toEqual([
      { id: "1", outcome: "rejected", feedback: null },
      { id: "2", outcome: "corrected", feedback: "use d" },
    ]);
    expect([ids(state), state.saved]).toEqual([["3"], []]);
  });

  test("an unknown question settles nothing", () => {
    const before = waiting(request("1", "a"));
    expect(reply(before, { id: "9", reply: { kind: "always" } }, rulesOf)).toEqual({
      state: before,
      settled: [],
    });
  });
});
