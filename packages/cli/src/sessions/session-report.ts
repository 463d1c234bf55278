import type { SessionCatalog, SessionSummary } from "@mdx-ai/runtime";
import { isoTime } from "../output/times.ts";

/** Sessions for programs: times are ISO 8601, money is US dollars; a damaged one has only its id and `damage`. */
export interface CatalogReport {
  readonly sessions: readonly object[];
  readonly skipped: readonly string[];
}

export const catalogReport = ({ sessions, skipped }: SessionCatalog): CatalogReport => ({
  sessions: sessions.map((session) => (session.state === "damaged" ? session : summaryReport(session))),
  skipped,
});

/** One session for programs. */
export function summaryReport({ created, lastUsed, spending, ...rest }: SessionSummary): object {
  const { usage, usd, unpriced } = spending;
  const times = Object.entries({ created, lastUsed }).flatMap(([name, time]) =>
    time === undefined ? [] : [[name, isoTime(time)]],
  );
  return { ...rest, usage, usd, unpriced, ...Object.fromEntries(times) };
}
