import { expect, it } from "vitest";
import { Passage } from "./passage.ts";

it("finds the most that different things weigh within a span", () => {
  const passage = new Passage(3);
  passage.meet(0, { weight: 5, place: 1 });
  passage.meet(0, { weight: 5, place: 2 });
  passage.meet(1, { weight: 2, place: 3 });
  expect(passage.best).toBe(7);
  passage.meet(2, { weight: 4, place: 5 });
  expect(passage.best).toBe(7);
  passage.meet(0, { weight: 5, place: 6 });
  expect(passage.best).toBe(9);
});
