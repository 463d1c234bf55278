// M. F. Porter, "An algorithm for suffix stripping", 1980. "Measure" is its m: how often vowels are followed by consonants.

const CONSONANT = "[^aeiou]";
const VOWEL = "[aeiouy]";
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;

const MEASURE_ABOVE_0 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const MEASURE_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`);
const MEASURE_ABOVE_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?${VOWEL}`);
const SHORT_END = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);

type Endings = readonly (readonly [ending: string, replacement: string])[];

const STEP_2: Endings = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["logi", "log"],
];

const STEP_3: Endings = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];

const STEP_4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$|^(.+?(?:s|t))ion$/;

/** The stem of an English word in letters a to z; other words are unchanged. Pure. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  // A "y" at the start is a consonant.
  const marked = word.startsWith("y") ? `Y${word.slice(1)}` : word;
  const plural = withoutPlural(marked);
  const tense = withoutTense(plural);
  const ending = HAS_VOWEL.test(tense.slice(0, -1)) && tense.endsWith("y") ? `${tense.slice(0, -1)}i` : tense;
  const shorter = withoutDerivation(replaced(replaced(ending, STEP_2), STEP_3));
  return withoutLastE(shorter).toLowerCase();
}

const withoutPlural = (word: string): string =>
  /(ss|i)es$/.test(word) ? word.slice(0, -2) : /[^s]s$/.test(word) ? word.slice(0, -1) : word;

function withoutTense(word: string): string {
  if (word.endsWith("eed")) return MEASURE_ABOVE_0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const rest = /^(.+)(?:ed|ing)$/.exec(word)?.[1];
  if (rest === undefined || !HAS_VOWEL.test(rest)) return word;
  if (/(at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/([^aeiouylsz])\1$/.test(rest)) return rest.slice(0, -1);
  return SHORT_END.test(rest) ? `${rest}e` : rest;
}

function replaced(word: string, endings: Endings): string {
  const [ending, replacement = ""] = longest(word, endings) ?? [];
  if (ending === undefined) return word;
  const rest = word.slice(0, -ending.length);
  return MEASURE_ABOVE_0.test(rest) ? rest + replacement : word;
}

const longest = (word: string, endings: Endings): Endings[number] | undefined =>
  endings.filter(([ending]) => word.endsWith(ending)).sort(([a], [b]) => b.length - a.length)[0];

function withoutDerivation(word: string): string {
  const [, rest, , beforeIon] = STEP_4.exec(word) ?? [];
  const shorter = rest ?? beforeIon;
  return shorter !== undefined && MEASURE_ABOVE_1.test(shorter) ? shorter : word;
}

function withoutLastE(word: string): string {
  const rest = word.slice(0, -1);
  const dropsE = word.endsWith("e") && (MEASURE_ABOVE_1.test(rest) || (MEASURE_1.test(rest) && !SHORT_END.test(rest)));
  const shorter = dropsE ? rest : word;
  return shorter.endsWith("ll") && MEASURE_ABOVE_1.test(shorter) ? shorter.slice(0, -1) : shorter;
}
