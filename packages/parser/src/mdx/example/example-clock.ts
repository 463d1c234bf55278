import { quoted, type Report } from "../../report.ts";
import type { Attribute } from "../attributes.ts";

/** A date alone is midnight in UTC; a time without a zone would differ from machine to machine. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Reads the time that the tool of an example sees, in milliseconds since 1970; undefined if it is absent or wrong, which is reported. */
export function readClock(attribute: Attribute | undefined, report: Report): number | undefined {
  if (attribute === undefined) return undefined;
  const text = String(attribute.value);
  const day = MOMENT.exec(text)?.[1];
  const moment = Date.parse(text);
  if (day !== undefined && isDay(day) && !Number.isNaN(moment)) return moment;
  const message = `unexpected ${quoted(text)} as \`now\`, expected a date and a time with its zone`;
  report({
    rule: "example-clock",
    offset: attribute.offset,
    message,
    hint: 'write `now="2026-01-02T03:04:05Z"`, or `+01:00` in place of `Z`',
  });
  return undefined;
}

/** Whether the calendar has it: `Date.parse` takes the 30th of February for the 2nd of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
