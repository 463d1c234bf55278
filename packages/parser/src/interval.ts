const unitMilliseconds: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
};

/** The shortest interval: one second. */
const shortestInterval: number = 1_000;
/** The longest interval: 24 days, the most that a timer of 32 bits holds. */
const MAX_INTERVAL: number = 24 * 86_400_000;

/** An interval such as `15m`, `1h30m` or `1.5h` in milliseconds; undefined if it is invalid or out of bounds. */
export function parseInterval(text: string): number | undefined {
  const compact = text.trim().toLowerCase();
  if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|[wdhms]))+$/.test(compact)) return undefined;
  let total = 0;
  for (const [, amount, unit] of compact.matchAll(/([\d.]+)(ms|[wdhms])/g)) {
    total += Number(amount) * (unitMilliseconds[unit ?? ""] ?? Number.NaN);
  }
  return boundedInterval(total);
}

/** An interval in words, such as `15 minutes`, `1 hour 30 minutes`, `half an hour`, `other day` or `hour`, or as `parseInterval` reads it. */
export function spokenInterval(text: string): number | undefined {
  const compact = text
    .trim()
    .toLowerCase()
    .replace(/^half(?: an)?[ -]hour$/, "30m")
    .replace(/^(?:an?|one|single)[ -]/, "1")
    .replace(/^other[ -]/, "2")
    .replace(/[ -]*(hour|minute|second|day|week|hr|min|sec)s?\b/g, (_, unit: string) => unit.charAt(0))
    .replace(/^(?=[a-z])/, "1");
  return parseInterval(compact.replace(/\s+/g, ""));
}

/** The interval, rounded to a millisecond; undefined out of bounds. */
function boundedInterval(milliseconds: number): number | undefined {
  const rounded = Math.round(milliseconds);
  return rounded >= shortestInterval && rounded <= MAX_INTERVAL ? rounded : undefined;
}

/** The milliseconds of the `schedule` setting, such as `30m` or `@every 30m`; undefined if it is no interval. */
export function scheduleInterval(schedule: string): number | undefined {
  return parseInterval(schedule.replace(/^@every:?\s+/i, ""));
}
