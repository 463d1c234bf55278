/** All weights of the search, chosen on half of the conversations of a public data set (docs/memory.md). */
export const WEIGHTS = {
  /** Of BM25: how soon repetition stops to count, and how much long entries are discounted. */
  saturation: 0.8,
  length: 0.4,
  /** A summary, against the text. */
  summary: 0.6,
  /** What the entry before says; more if that is a question, which this one answers. */
  before: 0.55,
  asked: 0.85,
  secondBefore: 0.5,
  after: 0.45,
  secondAfter: 0.2,
  /** Two words of the question beside each other. */
  pair: 0.6,
  /** A speaker's name within a text; words such as "kind of" and "mention". */
  nameInText: 0.4,
  questionWord: 0.3,
  /** Words with the same beginning; words of the class that the question names. */
  sameBeginning: 0.4,
  wordClass: 0.5,
  /** Further words of the best entries. */
  feedback: 0.05,
  /** The best entries of the same session. */
  session: 0.4,
  /** Factors above 1: said by the person in question, at the time in question, with a time or a number if one is asked for. */
  speaker: 0.4,
  time: 1.2,
  hasTime: 0.35,
  hasNumber: 0.3,
  /** A factor below 1: entries that ask. */
  asks: 0.2,
} as const;
