import { parseInterval, spokenInterval } from "../interval.ts";
import type { RoutineTime } from "../types/agent-definition.ts";
import { cronExpression, isNever } from "./cron.ts";
import { type DayPart, parseTimeOfDay, type TimeOfDay, timeOfPart } from "./time-of-day.ts";

const dayParts = ["morning", "noon", "afternoon", "evening", "night", "midnight"] as const satisfies readonly DayPart[];
const dayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
const predefined: ReadonlyMap<string, string> = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
]);

/** Words that follow an at sign in a time, not in a directive. */
export const TIME_WORDS: readonly string[] = ["every", ...[...predefined.keys()].map((word) => word.slice(1))];

/** The cron expression of a whole text, such as `0 9 * * 1-5` or `@daily`; undefined if it is none. */
export function cronOf(text: string): string | undefined {
  const written = text.replaceAll("`", "").trim();
  return predefined.get(written.toLowerCase()) ?? cronExpression(written);
}

/** When a task of a module is due, such as `15m`, `every day at 09:00` or a cron expression; undefined for other text. */
export function taskTime(text: string): RoutineTime | undefined {
  return intervalOf(parseInterval(text)) ?? parseRoutineTime(text);
}

/** Reads when a routine task is due; undefined if the words cannot be read. Never guesses a time. */
function parseRoutineTime(words: string): RoutineTime | undefined {
  const written = words.replaceAll("`", "").trim();
  const expression = cronOf(written);
  if (expression !== undefined) return isNever(expression) ? undefined : { type: "cron", expression };
  const phrase = canonical(written.replace(/[*_]+/g, ""));
  const every = /^@every\s*:?\s*(.+)$/.exec(phrase);
  if (every !== null) return intervalOf(parseInterval(every[1] ?? ""));
  const match = /^every (.+?)(?: at (.+))?$/.exec(phrase);
  if (match === null) return undefined;
  const [, when = "", at] = match;
  return at === undefined ? timeless(when) : timed(when, at);
}

/** One wording of many: "daily at 9", "at 9 on Mondays", "each day @ 9" all start with "every". */
function canonical(words: string): string {
  const phrase = words
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/ @ ?(?=[\d:])/g, " at ")
    .trim();
  const swapped = phrase.replace(
    /^at (\S+(?: [ap]\.?m\.?)?(?:(?:,| and) \S+)*) (every|each|on|daily|weekly)\b(.*)$/,
    "$2$3 at $1",
  );
  return swapped
    .replace(/^at /, "every day at ")
    .replace(/^each /, "every ")
    .replace(/^(hour|week|month)ly\b/, "every $1")
    .replace(/^daily\b/, "every day")
    .replace(/^nightly\b/, "every night")
    .replace(/^on (?!the )/, "every ")
    .replace(/^(?=(?:sun|mon|tues|wednes|thurs|fri|satur|week)days?\b|weekends?\b)/, "every ");
}

function timeless(when: string): RoutineTime | undefined {
  const part = dayParts.find((name) => name === when);
  const time = part === undefined ? undefined : timeOfPart(part);
  if (time !== undefined) return cron([time], "* * *");
  return intervalOf(spokenInterval(when));
}

function timed(when: string, at: string): RoutineTime | undefined {
  if (when === "hour") return minuteOfHour(at);
  const days = daysOf(when);
  if (days === undefined) return undefined;
  const times = at.split(/\s*(?:,|&|\band\b)\s*/).map((time) => parseTimeOfDay(time, days.part));
  const known = times.filter((time) => time !== undefined);
  return known.length === times.length ? cron(known, days.fields) : undefined;
}

function minuteOfHour(at: string): RoutineTime | undefined {
  const minute = Number(/^(?::|minute |xx:)?(\d{1,2})$/.exec(at)?.[1] ?? Number.NaN);
  return minute < 60 ? { type: "cron", expression: `${minute} * * * *` } : undefined;
}

interface Days {
  /** The last three fields of cron. */
  readonly fields: string;
  readonly part?: DayPart;
}

function daysOf(when: string): Days | undefined {
  const part = dayParts.find((name) => when === name || when.endsWith(` ${name}`));
  const rest = part === undefined ? when : when.slice(0, -part.length).trim();
  const named = part === undefined ? {} : { part };
  if (rest === "" || rest === "day" || rest === "single day") return { fields: "* * *", ...named };
  const date = /^month on (?:the |day )?(\d{1,2})(?:st|nd|rd|th)?$/.exec(rest)?.[1];
  if (date !== undefined)
    return Number(date) >= 1 && Number(date) <= 31 ? { fields: `${Number(date)} * *`, ...named } : undefined;
  const weekdays = weekdaysOf(rest.replace(/^week on /, ""));
  return weekdays === undefined ? undefined : { fields: `* * ${weekdays}`, ...named };
}

/** The days of such as `weekdays`, `mon-fri` or `sat, sun`, as cron's field for them; undefined for other text. In lower case. */
export function weekdaysOf(text: string): string | undefined {
  if (/^(?:week|work|working |business )days?$/.test(text)) return "1-5";
  if (/^weekends?$/.test(text)) return "0,6";
  const range = /^(\w+) ?(?:to|through|until|till|-|–) ?(\w+)$/.exec(text);
  const from = dayNumber(range?.[1] ?? "");
  const to = dayNumber(range?.[2] ?? "");
  if (from !== undefined && to !== undefined) return daysBetween(from, to).join(",");
  const days = text.split(/\s*(?:,\s*and\b|,|&|\band\b)\s*/).map((name) => dayNumber(name));
  const known = days.filter((day) => day !== undefined);
  return known.length === days.length ? [...new Set(known)].sort().join(",") : undefined;
}

function daysBetween(from: number, to: number): readonly number[] {
  const count = ((to - from + 7) % 7) + 1;
  return Array.from({ length: count }, (_, index) => (from + index) % 7).sort();
}

function dayNumber(word: string): number | undefined {
  const name = word.trim().replace(/\.$/, "").replace(/s$/, "");
  if (name.length < 3) return undefined;
  const index = dayNames.findIndex(
    (day) => day === name || (name.length <= 5 && day.startsWith(name)) || day === `${name}s`,
  );
  return index === -1 ? undefined : index;
}

/** Times of one minute fit one expression; others would be due at times that nobody wrote. */
function cron(times: readonly TimeOfDay[], days: string): RoutineTime | undefined {
  const minutes = new Set(times.map((time) => time.minute));
  const hours = [...new Set(times.map((time) => time.hour))].sort((left, right) => left - right);
  const [minute] = minutes;
  if (minutes.size !== 1 || minute === undefined) return undefined;
  return { type: "cron", expression: `${minute} ${hours.join(",")} ${days}` };
}

function intervalOf(milliseconds: number | undefined): RoutineTime | undefined {
  return milliseconds === undefined ? undefined : { type: "interval", milliseconds };
}

/** The content of a line of Routine Tasks, or why it cannot be read. */
export type RoutineLine =
  | { readonly type: "routine"; readonly time: RoutineTime; readonly name: string }
  | { readonly type: "unreadable"; readonly expected: string; readonly hint: string };

const separator = /:(?!\d)|\s(?:-+>?|[–—→])\s/g;
const MAX_TIME = 120;

/** Reads "Every morning at 09:00: Daily summary". The first separator after which the words before make a time counts. */
export function parseRoutineLine(line: string): RoutineLine {
  const time = line.slice(0, MAX_TIME);
  for (const match of time.matchAll(separator)) {
    const due = parseRoutineTime(time.slice(0, match.index));
    if (due === undefined) continue;
    const name = line
      .slice(match.index + match[0].length)
      .replace(/^\s*[*_`]*\s*/, "")
      .trim();
    return name === ""
      ? unreadable("the task's name after the time", "say what to do")
      : { type: "routine", time: due, name };
  }
  const crontab = crontabLine(line);
  if (crontab !== undefined) return crontab;
  const isTimeAlone = parseRoutineTime(line) !== undefined;
  if (isTimeAlone) return unreadable("the task's name after the time", "write `: ` and what to do after the time");
  return unreadable("a time and a task", hintFor(line));
}

/** A line as of crontab: five fields, then the task. */
function crontabLine(line: string): RoutineLine | undefined {
  const [, fields = "", name = ""] = /^((?:\S+\s+){5})(\S[\s\S]*)$/.exec(line) ?? [];
  const time = cronOf(name) === undefined && cronOf(line) === undefined ? parseRoutineTime(fields) : undefined;
  return time?.type === "cron" ? { type: "routine", time, name } : undefined;
}

function hintFor(line: string): string {
  const expression = cronOf(line.split(separator)[0] ?? "");
  if (expression !== undefined) return `the days of \`${expression}\` do not exist: correct the day or the month`;
  const examples = "`Every day at 09:00: …`, `Every Monday at 10:00: …`, `Every hour: …` or `Every 15 minutes: …`";
  const isVague = /^[*_]*(?:every|each|on)\s+[^:\d]*:/i.test(line);
  return isVague ? `say at what time, such as ${examples}` : `write ${examples}`;
}

function unreadable(expected: string, hint: string): RoutineLine {
  return { type: "unreadable", expected, hint };
}
