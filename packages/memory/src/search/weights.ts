/** All search weights, chosen on half of the conversations of a public data set; the other half is measured (docs/memory.md). */
export const WEIGHTS = {
  /** BM25: how soon repetition stops counting, and how strongly long entries are discounted. */
  saturation: 0.8,
  length: 0.4,
  /** A summary, relative to the text. */
  summary: 0.6,
  /** The entry before; more if it is a question, which this entry answers. */
  before: 0.55,
  asked: 0.85,
  secondBefore: 0.5,
  after: 0.45,
  secondAfter: 0.2,
  /** Two adjacent words of the question. */
  pair: 0.6,
  /** A speaker's name in a text. */
  nameInText: 0.4,
  /** Words that share characters with one of the question. */
  alike: 0.4,
  /** Further words of the best entries. */
  feedback: 0.05,
  /** The best entries of the same session. */
  session: 0.4,
  /** Factors above 1: said by the named person, in the named time, or with a time or number if the question asks for one. */
  speaker: 0.4,
  time: 1.2,
  hasTime: 0.35,
  hasNumber: 0.3,
  /** A factor below 1: entries that ask a question. */
  asks: 0.2,
} as const;
