/**
 * Words of English that say nothing about what is wanted: articles, pronouns, auxiliaries, prepositions, and the
 * politeness around a request. A query of nothing else finds nothing (unless it is a skill's name).
 */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a an the this that these those there here it its itself i me my mine we us our ours you your yours he him his she " +
    "her hers they them their theirs who whom whose which what when where why how am is are was were be been being do " +
    "does did doing done have has had having can could may might must shall should will would and or but nor if then " +
    "else than so as at by for from in into of off on onto out over to up with within without about after " +
    "not no yes all any both each every few more most other others " +
    "some such same own only just also too very again once while because ll ve re don didn doesn isn aren wasn won " +
    "t s d m im ive dont cant please want wants wanted need needs needed let lets hi hello thanks thank"
  ).split(" "),
);
