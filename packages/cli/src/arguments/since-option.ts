import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";

const DAY = 86_400_000;
const UNITS: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", DAY],
  ["w", 7 * DAY],
]);

/** The time of `--since`, in milliseconds since 1970; undefined without it. Throws `UsageError`. */
export function sinceOption({ values }: ParsedArguments, now: number): number | undefined {
  const text = values.get("since");
  if (text === undefined) return undefined;
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text) ?? [];
  const time = amount === undefined ? Date.parse(text) : now - Number(amount) * (UNITS.get(unit) ?? Number.NaN);
  if (Number.isNaN(time)) throw new UsageError(`--since needs a time such as 24h, 7d or 2026-05-08, but got ${JSON.stringify(text)}`); // biome-ignore format: short
  return time;
}
