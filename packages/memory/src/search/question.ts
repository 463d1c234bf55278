import { isStopWord, plainWords } from "./words.ts";

/** A parsed question. */
export interface Question {
  /** Its terms in order; undefined for stop words. */
  readonly sequence: readonly (string | undefined)[];
  readonly terms: ReadonlySet<string>;
  readonly asksTime: boolean;
  readonly asksNumber: boolean;
  readonly times: readonly TimeRange[];
}

/** Characters and terms of a question that are used. */
const MAX_LENGTH = 20_000;
const MAX_TERMS = 64;

const TIME = /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week)\b|\bhow long\b/i;
const NUMBER = /\bhow (?:many|much|long|often|old|far)\b/i;

/** Parses any text as a question. Pure. */
export function readQuestion(text: string, term: (word: string) => string, now: number): Question {
  const shown = text.slice(0, MAX_LENGTH);
  const words = plainWords(shown);
  const hasSubject = words.some((word) => !isStopWord(word));
  const sequence = words.map((word) => (hasSubject && isStopWord(word) ? undefined : term(word)));
  const terms = new Set([...new Set(sequence)].filter((one) => one !== undefined).slice(0, MAX_TERMS));
  return { sequence, terms, asksTime: TIME.test(shown), asksNumber: NUMBER.test(shown), times: timesIn(shown, now) };
}

/** A time range in a question: milliseconds since 1970 UTC, end exclusive. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400_000;
/** How many past years a month without a year may mean. */
const YEARS_BACK = 10;

const MONTHS = "january february march april may june july august september october november december".split(" ");
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const ALSO: Readonly<Record<string, number>> = { a: 1, an: 1, the: 1, "a couple of": 2, "a few": 3, several: 4 };

const MONTH = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?`;
const YEAR = "((?:19|20)\\d\\d)";
const DAY_OF_MONTH = "(\\d{1,2})(?:st|nd|rd|th)?";
const COUNT = `(\\d{1,3}|${NUMBERS.slice(1).join("|")}|a couple of|a few|several|an?)`;
const UNIT = "(day|week|weekend|month|year)s?";

type Groups = readonly (string | undefined)[];

/** Time patterns, the most exact first. Text that one pattern matched is not matched by the next. */
const WAYS: readonly (readonly [pattern: RegExp, read: (groups: Groups, now: number) => readonly TimeRange[]])[] = [
  way(`${YEAR}-(\\d{1,2})-(\\d{1,2})`, ([year, month, day]) => oneDay(Number(year), Number(month) - 1, Number(day))),
  way(`${DAY_OF_MONTH}(?: of)? ${MONTH},? ?${YEAR}`, ([day, month, year]) => dayOf(year, month, day)),
  way(`${MONTH} ${DAY_OF_MONTH},? ?${YEAR}`, ([month, day, year]) => dayOf(year, month, day)),
  way(`(?:of )?${MONTH},?(?: of)? ${YEAR}`, ([month, year]) => months(Number(year), monthOf(month), 1)),
  way(`${DAY_OF_MONTH}(?: of)? ${MONTH}`, ([day, month], now) =>
    everyYear(now, (year) => dayOf(`${year}`, month, day)),
  ),
  way(`${MONTH} ${DAY_OF_MONTH}`, ([month, day], now) => everyYear(now, (year) => dayOf(`${year}`, month, day))),
  way(`(spring|summer|autumn|fall|winter)(?: of)? ${YEAR}`, ([name, year]) => season(Number(year), name)),
  way("last (spring|summer|autumn|fall|winter)", ([name], now) => latest(now, (year) => season(year, name))),
  way(`last ${MONTH}`, ([month], now) => latest(now, (year) => months(year, monthOf(month), 1))),
  way(`(?:in|during|since|until|by|early|late|mid|this|of|and) ${MONTH}`, ([month], now) =>
    everyYear(now, (year) => months(year, monthOf(month), 1)),
  ),
  way(YEAR, ([year]) => months(Number(year), 0, 12)),
  way(`${COUNT} ${UNIT} ago`, ([count, unit], now) => ago(now, countOf(count), unit)),
  way(`(?:last|past|previous) ${UNIT}`, ([unit], now) => around(now, -1, unit)),
  way(`this ${UNIT}`, ([unit], now) => around(now, 0, unit)),
  way(`last (${WEEKDAYS.join("|")})`, ([name], now) => lastWeekday(now, name)),
  way("(the day before yesterday)", (_, now) => [days(startOfDay(now) - 2 * DAY, 1)]),
  way("(yesterday|last night)", (_, now) => [days(startOfDay(now) - DAY, 1)]),
  way("(today|tonight|this (?:morning|afternoon|evening))", (_, now) => [days(startOfDay(now), 1)]),
  way("(recently|lately)", (_, now) => [{ from: now - 30 * DAY, to: now + DAY }]),
];

/** The time ranges that a question names; relative ones refer to `now`. Pure. */
export function timesIn(question: string, now: number): readonly TimeRange[] {
  let rest = question.toLowerCase().replace(/\s+/g, " ");
  const found: TimeRange[] = [];
  for (const [pattern, read] of WAYS) {
    rest = rest.replace(pattern, (_whole, ...groups: unknown[]) => {
      const texts = groups.map((group) => (typeof group === "string" ? group : undefined));
      found.push(...read(texts, now));
      return "|";
    });
  }
  return found.slice(0, MAX_COUNT);
}

/** Times that are used: a question with more is a list of dates. */
const MAX_COUNT = 40;

function way(pattern: string, read: (groups: Groups, now: number) => readonly TimeRange[]): (typeof WAYS)[number] {
  return [new RegExp(`\\b${pattern}\\b`, "g"), read];
}

const monthOf = (name = ""): number => MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3)));

const countOf = (text = ""): number =>
  ALSO[text] ?? (NUMBERS.includes(text) ? NUMBERS.indexOf(text) : Number.parseInt(text, 10));

const startOfDay = (time: number): number => Math.floor(time / DAY) * DAY;

const days = (from: number, count: number): TimeRange => ({ from, to: from + count * DAY });

const months = (year: number, month: number, count: number): readonly TimeRange[] => [
  { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + count, 1) },
];

const season = (year: number, name = ""): readonly TimeRange[] => months(year, SEASONS[name] ?? 0, 3);

/** Empty if the month does not have that day. */
function oneDay(year: number, month: number, day: number): readonly TimeRange[] {
  const from = Date.UTC(year, month, day);
  return day >= 1 && new Date(from).getUTCMonth() === month ? [days(from, 1)] : [];
}

const dayOf = (year: string | undefined, month: string | undefined, day: string | undefined): readonly TimeRange[] =>
  oneDay(Number(year), monthOf(month), Number(day));

/** Without a year, the range in each of the last years. */
function everyYear(now: number, of: (year: number) => readonly TimeRange[]): readonly TimeRange[] {
  const year = new Date(now).getUTCFullYear();
  return Array.from({ length: YEARS_BACK + 1 }, (_, back) => of(year - back)).flat();
}

/** The latest that has started. */
const latest = (now: number, of: (year: number) => readonly TimeRange[]): readonly TimeRange[] =>
  everyYear(now, of)
    .filter(({ from }) => from <= now)
    .slice(0, 1);

/** A number of units ago: the larger the number, the wider the range. */
function ago(now: number, count: number, unit = "day"): readonly TimeRange[] {
  const length = UNIT_DAYS[unit] ?? 1;
  const middle = startOfDay(now) - count * length * DAY;
  const slack = Math.floor(length / 2) * DAY;
  return [{ from: middle - slack, to: middle + slack + DAY }];
}

const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, weekend: 7, month: 30, year: 365 };

function around(now: number, offset: number, unit = "day"): readonly TimeRange[] {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === "year") return months(year + offset, 0, 12);
  if (unit === "month") return months(year, month + offset, 1);
  if (unit === "day") return [days(startOfDay(now) + offset * DAY, 1)];
  const monday = startOfDay(now) - ((date.getUTCDay() + 6) % 7) * DAY + offset * 7 * DAY;
  return [unit === "week" ? days(monday, 7) : days(monday + 4 * DAY, 3)];
}

function lastWeekday(now: number, name = ""): readonly TimeRange[] {
  const back = (new Date(now).getUTCDay() - WEEKDAYS.indexOf(name) + 6) % 7;
  return [days(startOfDay(now) - (back + 1) * DAY, 1)];
}
