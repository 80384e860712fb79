import type { TokenCounter } from "../src/core/catalog/token-counter.ts";
import { type CatalogSkill, renderMinimaxCatalog } from "../src/core/profiles/minimax/catalog.ts";
import { o200kCounter } from "../src/host/o200k-counter.ts";
import type { Outcome } from "./figures.ts";

/** Tokens of the shortened catalog, such that descriptions have to give way and all names fit. */
const budgets = { 200: 2_600, 500: 5_000 } as const;

/**
 * Characters that the tokeniser reads until a catalog of profile `minimax` fits its budget, against the algorithm as the
 * mirrored program runs it, which counts the whole text anew at every step. A count, no time: the same on every machine.
 */
export function catalogCost(size: 200 | 500): Outcome {
  const skills = Array.from({ length: size }, (_, index) => skillAt(index));
  const budget = budgets[size];
  const whole = countingCharacters(false);
  const parts = countingCharacters(true);
  const plain = renderMinimaxCatalog(skills, { budget, counter: whole.counter });
  const found = renderMinimaxCatalog(skills, { budget, counter: parts.counter });
  if (found.text !== plain.text || !found.softOverflow) throw new Error("The two catalogs differ.");
  const ratio = parts.characters() / whole.characters();
  return {
    unit: "characters",
    ratio,
    least: ratio,
    most: ratio,
    subject: parts.characters(),
    baseline: whole.characters(),
  };
}

/** The profile's own counter, noting how many characters it is given; `seams`: it may count parts. */
function countingCharacters(seams: boolean): { readonly counter: TokenCounter; characters(): number } {
  const own = o200kCounter();
  let characters = 0;
  const count = (text: string): number => {
    characters += text.length;
    return own.count(text);
  };
  const { seams: ownSeams } = own;
  const counter: TokenCounter =
    !seams || ownSeams === undefined
      ? { id: own.id, count }
      : {
          id: own.id,
          count,
          seams: {
            in: (text) => ownSeams.in(text),
            count(part) {
              characters += part.length;
              return ownSeams.count(part);
            },
          },
        };
  return { counter, characters: () => characters };
}

const verbs = ["Create", "Review", "Convert", "Summarise", "Deploy", "汇总资料并生成"];
const things = [
  "Word documents",
  "pull requests",
  "PDF files, pages and forms",
  "中文报告，交付前核对",
  "web sites",
];

function skillAt(index: number): CatalogSkill {
  const [verb, thing] = [verbs[index % verbs.length], things[index % things.length]];
  return {
    name: `skill-${String(index).padStart(3, "0")}`,
    description: `${verb} ${thing} for team ${index}. Use when the user asks for it; see step ${index % 7}.`,
    builtin: index % 3 === 0,
  };
}
