import { expandWord, termOf } from "./expand-word.ts";
import { grown, TermTable } from "./term-table.ts";
import type { Scanned } from "./tokenize.ts";

/**
 * The terms of an index with their numbers, and by which of them a written word is indexed. Written forms are looked up
 * without making a string: words repeat, and case folding and stemming happen once for each form.
 */
export class Vocabulary {
  readonly terms: TermTable;
  /** Terms of form `f`: `expansions[expansionStarts[f]]` to `expansions[expansionStarts[f + 1] - 1]`; the word first. */
  expansionStarts = new Uint32Array(1 << 8);
  expansions = new Uint32Array(1 << 8);
  private readonly forms = new TermTable();

  constructor(terms = new TermTable()) {
    this.terms = terms;
  }

  /** The number of the written form that was just told by a tokenizer; a stop word's has no terms. */
  form(scanned: Scanned, start: number, end: number): number {
    const known = this.forms.findScanned(scanned, start, end);
    if (known >= 0) return known;
    const { text } = scanned;
    const form = this.forms.add(text, start, end);
    const terms = expandWord(text.slice(start, end)).map((word) => this.terms.add(termOf(word)));
    const from = this.expansionStarts[form] as number;
    const to = from + terms.length;
    if (form + 2 > this.expansionStarts.length) this.expansionStarts = grown(this.expansionStarts);
    if (to > this.expansions.length) this.expansions = grown(this.expansions, to);
    this.expansions.set(terms, from);
    this.expansionStarts[form + 1] = to;
    return form;
  }
}
