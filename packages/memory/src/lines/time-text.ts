import { invalid } from "../embedded/checked.ts";

/** Such as "1:56 pm on 8 May, 2023", as conversations of LoCoMo have it. */
const SPOKEN = /^(\d{1,2}):(\d\d) (am|pm) on (\d{1,2} \p{L}+,? \d{4})$/iu;

/** A time in ISO 8601, as `date` of a line may be written: ISO, or the words of a date. Throws `MemoryStoreError` (invalid). */
export function timeOf(text: string): string {
  const time = spokenTime(text.trim()) ?? Date.parse(text);
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw invalid(
    `"date" is not a time: ${JSON.stringify(text.slice(0, 60))}; write it as 2026-05-08 or 2026-05-08T13:56:00Z`,
  );
}

function spokenTime(text: string): number | undefined {
  const [, hour, minute, half, day = ""] = SPOKEN.exec(text) ?? [];
  if (hour === undefined) return undefined;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "pm" ? 12 : 0);
  return Date.parse(`${day.replace(",", "")} UTC`) + (hours * 60 + Number(minute)) * 60_000;
}
