/** Words that say nothing about the subject of a question, in lower case; also what an apostrophe leaves of "don't" and the like. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are aren as at be because been before being below between both
  but by can cannot could couldn d did didn do does doesn doing don down during each either else ever few for from further get
  gets getting got had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself
  just ll m me might mightn more most must mustn my myself needn neither no nor not now of off on once only or other our
  ours ourselves out over own please re s same shall shan she should shouldn so some such t than that the their theirs them
  themselves then there these they this those through to too under until up upon us ve very was wasn we were weren what
  when where whether which while who whom whose why will with within without would wouldn yes yet you your yours
  yourself yourselves`.split(/\s+/),
);
