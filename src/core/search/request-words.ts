import { termOf } from "./expand-word.ts";

/**
 * Terms of words that requests of any kind hold: asking, liking, finding, time. They may still be what a skill is about,
 * so they count less instead of nothing; a small set of skills cannot tell by itself how common they are.
 */
export const requestTerms: ReadonlySet<string> = new Set(
  (
    "find get give show tell look looking search recommend suggest suggestion recommendation provide help assist try know " +
    "like best good great better nice new latest recent current today now information info detail details thing things " +
    "something anything way ways option options able possible interested interesting " +
    "specific certain different various available use using make making made go going gone come work working start keep " +
    "see say said think feel love wonder wondering idea ideas advice tip tips understand one two first " +
    "top kind type sort lot bit day week people person friend"
  )
    .split(" ")
    .map(termOf),
);
