/** Rarity of a term (BM25's inverse document frequency): near 0 when every document has it. */
export function rarity(size: number, frequency: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}
