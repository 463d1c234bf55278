import { Cron } from "croner";

/**
 * The cron expression of a text, with single blanks between its fields: five fields, or with seconds before them or a year after them.
 * Also croner's `L`, `#` and `W`. Undefined if the text is none.
 */
export function cronExpression(text: string): string | undefined {
  const fields = text
    .trim()
    .replace(/^cron:?\s+/i, "")
    .split(/\s+/);
  if (fields.length < 5 || fields.length > 7 || !fields.every((field) => FIELD.test(field))) return undefined;
  const expression = fields.join(" ");
  try {
    patternOf(expression, "UTC");
    return expression;
  } catch {
    return undefined;
  }
}

const FIELD = /^(?:[\d*?]|[a-z]{3}|L)[\w*,/#?-]*$/i;

/** Before the first day that a heartbeat can be due on. */
const BEGINNING = Date.UTC(2024, 0, 1);

/** Whether a valid expression has no day at all, such as February 30. */
export const isNever = (expression: string): boolean => nextCronTime(expression, BEGINNING, "UTC") === undefined;

/**
 * The next time of an expression after `from`, both in milliseconds since 1970; undefined if there is none. Without a time zone, that of
 * the machine counts. A time that a change of the clock skips is due as soon as the clock has passed it; one that is repeated is
 * due once. Throws for an invalid expression or time zone.
 */
export const nextCronTime = (expression: string, from: number, timezone: string | undefined): number | undefined =>
  cronTimes(expression, timezone)(from);

/** Returns `nextCronTime` for one expression, which is then read only once. */
export function cronTimes(expression: string, timezone: string | undefined): (from: number) => number | undefined {
  const pattern = patternOf(expression, timezone);
  return (from) => pattern.nextRun(new Date(from))?.getTime();
}

/** Crontab's rule for days: if one of the two fields for days begins with a star, both must match; otherwise one of them. */
function patternOf(expression: string, timezone: string | undefined): Cron {
  const fields = expression.split(" ");
  const first = fields.length > 5 ? 3 : 2;
  const domAndDow = [fields[first], fields[first + 2]].some((field) => field?.startsWith("*"));
  return new Cron(expression, { paused: true, domAndDow, ...(timezone !== undefined && { timezone }) });
}
