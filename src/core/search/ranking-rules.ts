/** Every number that ranking depends on; how each was found and what it brings is in bench/search.md. */
export interface RankingRules {
  /** How much one occurrence counts, by field number. */
  readonly fieldWeights: readonly number[];
  /** How strongly long fields are held back, 0 to 1, by field number. */
  readonly lengthShares: readonly number[];
  /** Saturation of repeated occurrences (BM25's k1). */
  readonly saturation: number;
  /** How much of a score depends on the share of the query that is matched. */
  readonly coverageShare: number;
  /** What two neighbouring words add where they stand together, against a word. */
  readonly phraseWeight: number;
  /** What a name of several words adds that is there whole, against the best possible score. */
  readonly nameWeight: number;
  /** What a term adds in a name of a small set that few names hold, against a word. */
  readonly tellingNameWeight: number;
  /** What letters in common add, against the best possible score. */
  readonly spellingWeight: number;
  /** What a name adds that is told in passing, against the best possible score. */
  readonly passingWeight: number;
  /** What is left of the score of a skill that the query says it does not mean. */
  readonly refusedWeight: number;
  /** What translated words count against written ones. */
  readonly glossWeight: number;
  /** Each further word of a query counts a little less: requests begin with what they are about. */
  readonly fading: number;
  /** What a word counts that requests of any kind hold. */
  readonly requestWeight: number;
  /** What a number of up to three digits counts: mostly an amount, rarely a subject. */
  readonly numberWeight: number;
  /** What the words of a file's name count before its ending ("report.pdf"). */
  readonly fileNameWeight: number;
  /** What the ending of a file's name counts: it says what kind of file there is, whatever it is called. */
  readonly endingWeight: number;
  /** What a name adds that is the ending of a file's name, against the best possible score. */
  readonly endingNameWeight: number;
  /** What a part of a word, or a compound in one piece, counts. */
  readonly sideWeight: number;
  /** What a single character of an unspaced script counts against a word. */
  readonly glyphWeight: number;
  /** What a corrected word counts. */
  readonly typoWeight: number;
}

/** Fields: name, alias, localized, description, when, example, exclusion, heading, body. */
export const rankingRules: RankingRules = {
  fieldWeights: [3, 2.5, 2, 1.5, 1.2, 0.8, 0.3, 0.5, 0.3],
  lengthShares: [0.3, 0.3, 0.5, 0.2, 0.3, 0.5, 0.3, 0.6, 0.5],
  saturation: 2.3,
  coverageShare: 0.25,
  phraseWeight: 0.25,
  nameWeight: 0.03,
  tellingNameWeight: 0.25,
  spellingWeight: 0.08,
  passingWeight: 0.05,
  refusedWeight: 0.6,
  glossWeight: 0.6,
  fading: 0.02,
  requestWeight: 0.85,
  numberWeight: 0.1,
  fileNameWeight: 0.5,
  endingWeight: 1.5,
  endingNameWeight: 0.15,
  sideWeight: 0.6,
  glyphWeight: 0.3,
  typoWeight: 0.6,
};
