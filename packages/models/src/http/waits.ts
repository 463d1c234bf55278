import { isRecord, secondsText, type UnknownRecord } from "@mdx-ai/base";

/** Where a server may say how long to wait. */
export interface WaitSources {
  readonly headers: Headers;
  /** The refusal's parsed body; undefined if there is none. */
  readonly body: unknown;
  /** The server's message on one line; empty if it is not about a limit. */
  readonly said: string;
  /** Whether a rate limit was reached, so that its headers count. */
  readonly isLimit: boolean;
}

/** Milliseconds; keeps a server's value within what JSON can represent. */
const MAX_LENGTH = Number.MAX_SAFE_INTEGER;

/**
 * Milliseconds that a server asks to wait, from `now` (milliseconds since 1970). Sources in order: retry headers, a field of the body, the
 * message, rate limit headers. The first above zero counts; undefined if there is none.
 */
export function askedWait({ headers, body, said, isLimit }: WaitSources, now: number): number | undefined {
  let zero: number | undefined;
  const sources = [
    () => retryHeader(headers, now),
    () => bodyWait(body, now),
    () => saidWait(said, now),
    () => (isLimit ? resetHeader(headers, now) : undefined),
  ];
  for (const source of sources) {
    const wait = source();
    if (wait === undefined || Number.isNaN(wait)) continue;
    // Some servers send a zero in addition to the real wait.
    if (wait > 0) return Math.min(wait, MAX_LENGTH);
    zero = 0;
  }
  return zero;
}

/** Milliseconds per unit, by the first letters of its name. */
const UNITS = [
  ["ms|msecs?|milliseconds?", 1],
  ["s|secs?|seconds?", 1000],
  ["m|mins?|minutes?", 60_000],
  ["h|hrs?|hours?", 3_600_000],
  ["d|days?", 86_400_000],
] as const;

const AMOUNT = `(\\d+(?:\\.\\d+)?)\\s*(?:${UNITS.map(([names]) => `(${names})`).join("|")})(?![a-z])`;

/** Amounts with units, such as `7m13.44s` or `1 hour and 5 minutes`. */
const DURATION = `${AMOUNT}(?:\\s*(?:,|and)?\\s*${AMOUNT})*`;

/** Parses a duration as milliseconds; undefined if the text does not start with one. */
export function durationOf(text: string): number | undefined {
  const [written] = new RegExp(`^\\s*${DURATION}`, "i").exec(text) ?? [];
  if (written === undefined) return undefined;
  const amounts = [...written.matchAll(new RegExp(AMOUNT, "gi"))];
  return amounts.reduce((sum, [, digits, ...units]) => {
    const [, milliseconds = 0] = UNITS[units.findIndex((unit) => unit !== undefined)] ?? [];
    return sum + Math.round(Number(digits) * milliseconds * 1000) / 1000;
  }, 0);
}

/** Parses a duration, a number of seconds, a date, or a time since 1970 in seconds or milliseconds; returns milliseconds from now. */
function waitIn(text: string, now: number): number | undefined {
  const duration = durationOf(text);
  if (duration !== undefined) return duration;
  const [digits] = /^\s*\d+(?:\.\d+)?(?![\d-]*[-/:])/.exec(text) ?? [];
  if (digits !== undefined) return numericWait(Number(digits), now);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Larger numbers are times since 1970, in seconds and in milliseconds. */
const SINCE_1970 = { seconds: 1e9, milliseconds: 1e12 } as const;

function numericWait(number: number, now: number): number {
  // Numbers this large are invalid.
  if (number >= SINCE_1970.milliseconds * 10) return MAX_LENGTH;
  if (number >= SINCE_1970.milliseconds) return Math.max(0, number - now);
  if (number >= SINCE_1970.seconds) return Math.max(0, number * 1000 - now);
  return number * 1000;
}

function retryHeader(headers: Headers, now: number): number | undefined {
  const after = headers.get("retry-after");
  const milliseconds = leadingNumber(headers.get("retry-after-ms"));
  if (milliseconds || after === null) return milliseconds;
  return (/^\s*-\d/.test(after) ? 0 : waitIn(after, now)) ?? milliseconds;
}

function leadingNumber(header: string | null): number | undefined {
  const [digits] = /^\s*\d+(?:\.\d+)?/.exec(header ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Headers for the reset of a limit, with or without the limit's name. */
const RESET = /^(?:x-|[a-z]+-)?rate-?limit-(?:.+-)?reset(?:-.+)?$/i;

/** The longest reset of the used-up limits, else the shortest of all, since it is unknown which limit was reached. */
function resetHeader(headers: Headers, now: number): number | undefined {
  const resets = [...headers].filter(([name]) => RESET.test(name));
  const waits = ([, value]: readonly [string, string]): readonly number[] =>
    [waitIn(value, now)].filter((wait) => wait !== undefined);
  const isUsedUp = ([name]: readonly [string, string]): boolean =>
    Number(headers.get(name.replace("reset", "remaining")) ?? 1) <= 0;
  const usedUp = resets.filter(isUsedUp).flatMap(waits);
  if (usedUp.length > 0) return Math.max(...usedUp);
  const all = resets.flatMap(waits);
  return all.length === 0 ? undefined : Math.min(...all);
}

/** Levels of a body that are searched. */
const MAX_LEVELS = 6;

/** The wait in a field, such as Google's `retryDelay`, `retry_after`, or a header that a gateway passes on. */
function bodyWait(value: unknown, now: number, levels: number = MAX_LEVELS): number | undefined {
  if (levels === 0 || typeof value !== "object" || value === null) return undefined;
  for (const [name, field] of Object.entries(value)) {
    const wait = fieldWait(name, field, now) ?? bodyWait(field, now, levels - 1);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

const WAIT_NAME = "(?:retry|resets?)[_-]?(?:after|delay|in|at)|wait(?:[_-]?(?:time|for))?";
const MILLISECONDS = new RegExp(`^(?:${WAIT_NAME})[_-]?(?:ms|millis(?:econds)?)$`, "i");
const SECONDS = new RegExp(`^(?:${WAIT_NAME})(?:[_-]?(?:s|sec|seconds))?$`, "i");

function fieldWait(name: string, field: unknown, now: number): number | undefined {
  const isMilliseconds = MILLISECONDS.test(name);
  if (!isMilliseconds && !SECONDS.test(name) && !RESET.test(name)) return undefined;
  if (isRecord(field)) return secondsAndNanos(field);
  if (typeof field !== "string" && typeof field !== "number") return undefined;
  if (!isMilliseconds) return waitIn(String(field), now);
  return durationOf(String(field)) ?? leadingNumber(String(field));
}

/** A protocol buffers duration that was not serialized as protocol buffers JSON. */
function secondsAndNanos({ seconds, nanos = 0 }: UnknownRecord): number | undefined {
  const wait = Number(seconds) * 1000 + Number(nanos) / 1e6;
  return seconds === undefined || Number.isNaN(wait) ? undefined : wait;
}

/** Words before a wait in a sentence. */
const BEFORE =
  "\\b(?:retry(?:[_-]?(?:delay|after|in))?|retrying|try|trying|again|wait|waiting|resets?|available|cool ?down)\\b";

const CHINESE_UNITS: ReadonlyMap<string | undefined, number> = new Map([
  ["毫秒", 1],
  ["秒", 1000],
  ["分", 60_000],
  ["小时", 3_600_000],
]);

/** Milliseconds in a rate limit's message: "try again in 7m13.44s", "retry after 3 seconds", "resets at 2026-…". */
function saidWait(said: string, now: number): number | undefined {
  const [, written] = new RegExp(`${BEFORE}[^\\d.;!?]{0,40}?(${DURATION})`, "i").exec(said) ?? [];
  if (written !== undefined) return durationOf(written);
  const [, seconds] = /\bretry[\s_-]?after["']?[\s:=]+(\d+(?:\.\d+)?)/i.exec(said) ?? [];
  if (seconds !== undefined) return numericWait(Number(seconds), now);
  const [, amount, unit] = /(\d+(?:\.\d+)?)\s*(毫秒|秒|分|小时)[钟鐘]?(?:之?[后後]|再)/.exec(said) ?? [];
  if (amount !== undefined) return Number(amount) * (CHINESE_UNITS.get(unit) ?? 1000);
  const [, date] =
    new RegExp(
      `${BEFORE}[^\\d.;!?]{0,40}?(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?: ?UTC|Z|[+-]\\d\\d:?\\d\\d)?)`,
      "i",
    ).exec(said) ?? [];
  return date === undefined ? undefined : waitIn(date, now);
}

/** A wait as text: "45 seconds", "434 seconds (7 minutes 14 seconds)", "93600 seconds (1 day 2 hours)". Takes milliseconds. */
export function waitText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const all = secondsText(seconds);
  return seconds < 120 ? all : `${all} (${unitsText(seconds)})`;
}

function unitsText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), "day"],
    [Math.floor(seconds / 3600) % 24, "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ] as const;
  const first = parts.findIndex(([amount]) => amount > 0);
  const shown = parts.slice(Math.max(0, first), first + 2).filter(([amount]) => amount > 0);
  return shown.map(([amount, unit]) => `${amount} ${unit}${amount === 1 ? "" : "s"}`).join(" ");
}
