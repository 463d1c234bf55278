/** Enough to find the day that two rarely equal lists of days share. */
const MAX_STEPS = 5_000;

/**
 * The next time of a cron expression after `from`, both in milliseconds since 1970; undefined if it never comes. The rule for days is
 * crontab's: if one of the two fields for days begins with a star, as every second day does, both must match; otherwise one of them. Throws for an
 * invalid expression or time zone.
 */
export function cronTime(expression: string, from: number, timezone: string | undefined): number | undefined {
  const next = (of: string, after: number): number | undefined =>
    Bun.cron.parse(of, after, timezone === undefined ? {} : { tz: timezone })?.getTime();
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = expression.trim().split(/\s+/);
  if (![day, weekday].some((field) => field.startsWith("*")) || [day, weekday].includes("*"))
    return next(expression, from);
  const onDay = `${minute} ${hour} ${day} ${month} *`;
  const onWeekday = `${minute} ${hour} * ${month} ${weekday}`;
  let [one, other] = [next(onDay, from), next(onWeekday, from)];
  for (let step = 0; step < MAX_STEPS && one !== undefined && other !== undefined; step += 1) {
    if (one === other) return one;
    if (one < other) one = next(onDay, other - 1);
    else other = next(onWeekday, one - 1);
  }
  return undefined;
}
