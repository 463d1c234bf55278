/** Servers' names for the limit of an answer. */
const LIMIT_NAMES =
  /max_?(?:completion_|output_|new_)?tokens|max(?:imum)?[ _]?(?:output|completion|new)|(?:output|completion) tokens|max(?:imum)? tokens|can only afford/i;

/** Numbers with separators or thousands, such as 8,192 and 8k, but not within names such as gpt-4. */
const NUMBER = /(?<![\w.-])(\d[\d,_]*k?)(?![\w-]|\.\d)/gi;

const numbersIn = (said: string): readonly number[] => numbersAt(NUMBER, said);

/** `k` counts as 1000: servers never mean less. */
const numberOf = (digits: string): number => Number(digits.replace(/[,_k]/gi, "")) * (/k$/i.test(digits) ? 1000 : 1);

/** Words for a value below the minimum. */
const TOO_SMALL = /below (?:the )?minimum|(?:greater than|more than|at least|>=|minimum (?:value|is))/i;

/** Words for a value above the maximum. */
const TOO_LARGE =
  /too (?:large|big|high|many)|exceed|greater|larger|higher|above|cannot be|range|maximum|at most|limit/i;

/** Where servers write the number. */
const STATED: readonly RegExp[] = [
  />\s*(\d[\d,]*k?)/,
  /(?:at most|less than or equal to|<=|maximum(?: value)?(?: allowed)?(?: is| of|:)|up to|no more than|limit(?: is| of|:)?|only afford)[\s`'"]*(\d[\d,]*k?)/i,
  /\[\s*\d+\s*,\s*(\d[\d,]*k?)\s*\]/,
  /between \d+ (?:and|to) (\d[\d,]*k?)/i,
  /from \d+ \(inclusive\) to (\d[\d,]*k?)(?: \(inclusive\))?(?! \(exclusive)/i,
];

/** A limit that is exclusive. */
const EXCLUSIVE = /(?:less than|to) (\d[\d,]*)(?= \(exclusive|(?<=less than \d[\d,]*)(?! or))/i;

/** The number of tokens to use after a server refused this limit; undefined if the text is about something else. */
export function fittingLimit(said: string, sent: number): number | undefined {
  if (!LIMIT_NAMES.test(said)) return undefined;
  const numbers = numbersIn(said);
  const isFitting = (number: number): boolean => number > 1 && number < sent;
  const exclusive = numberAt(EXCLUSIVE, said);
  if (exclusive !== undefined && isFitting(exclusive)) return exclusive - 1;
  const stated = STATED.flatMap((pattern) => numbersAt(pattern, said)).find(isFitting);
  if (stated !== undefined) return stated;
  const least = TOO_SMALL.test(said) ? numbers.find((number) => number > sent && number < 100_000) : undefined;
  return least ?? (TOO_LARGE.test(said) ? (largest(numbers.filter(isFitting)) ?? halved(said, sent)) : undefined);
}

/** A lower limit to try if a server only says that the number is too large. */
const halved = (said: string, sent: number): number | undefined =>
  TOO_LARGE_ALONE.test(said) && sent >= 2 * MIN_HALVED ? Math.floor(sent / 2) : undefined;

const TOO_LARGE_ALONE =
  /max_(?:completion_|output_|new_)?tokens\b[^.]{0,60}(?:too (?:large|big|high)|exceeds?|(?:larger|greater|higher) than)/i;

/** A limit that every server accepts. */
const MIN_HALVED = 1024;

const largest = (numbers: readonly number[]): number | undefined =>
  numbers.length === 0 ? undefined : Math.max(...numbers);

const numbersAt = (pattern: RegExp, said: string): readonly number[] =>
  [...said.matchAll(new RegExp(pattern, "gi"))].map(([, digits = ""]) => numberOf(digits));

const numberAt = (pattern: RegExp, said: string): number | undefined => numbersAt(pattern, said)[0];

/** The model's window, and how much of it a request fills. */
export interface FilledWindow {
  readonly tokens: number;
  readonly input: number;
}

/** Where servers state the window. */
const WINDOW: readonly RegExp[] = [
  /exceed context limit: \d[\d,]* \+ \d[\d,]* > (\d[\d,]*)/i,
  /context (?:length|window|limit|size)[^\d.;]{0,30}?(\d[\d,]*)/i,
  /max_new_tokens`? must be <= (\d[\d,]*)/i,
];

/** Where they state the size of the request without the answer. */
const INPUT: readonly RegExp[] = [
  /exceed context limit: (\d[\d,]*) \+/i,
  /(\d[\d,]*)(?: tokens)? (?:in (?:the|your) (?:messages|prompt|input)|of text input|`?inputs?`? tokens|prompt tokens)/i,
  /(?:messages|prompt|input)(?: has| have| contains?| resulted in)? (?!at least)(\d[\d,]*) tokens/i,
];

/** The window and its use, if a server says that an answer of this size does not fit with a request. */
export function windowOf(said: string, sent: number): FilledWindow | undefined {
  const tokens = firstNumber(WINDOW, said);
  if (tokens === undefined) return undefined;
  const numbers = numbersIn(said);
  if (!numbers.includes(sent)) return undefined;
  // Some count only up to the limit, so that the number is useless.
  if (/at least \d[\d,]* (?:input|prompt) tokens/i.test(said)) return { tokens, input: Math.max(0, tokens - sent) };
  const total = numbers.find((number) => number > tokens && number > sent);
  const input = firstNumber(INPUT, said) ?? (total === undefined ? undefined : total - sent);
  return input === undefined || input >= tokens ? undefined : { tokens, input };
}

const firstNumber = (patterns: readonly RegExp[], said: string): number | undefined =>
  patterns.map((pattern) => numberAt(pattern, said)).find((number) => number !== undefined);
