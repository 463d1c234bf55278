import { plainLine } from "@mdx-ai/directory/text";
import type { SessionCatalog, SessionSummary } from "@mdx-ai/runtime";
import { columns, type Row } from "../output/columns.ts";
import { counted, grouped, isoTime, localTime } from "../output/figures.ts";
import { shortPath } from "../output/home-path.ts";
import type { Paint } from "../output/paint.ts";
import { costText } from "../output/prompt-lines.ts";

type Session = SessionCatalog["sessions"][number];

/** Sessions for people, one a line. Workspaces have a column if there are any; those in the user's home folder are shortened. */
export function sessionsText(sessions: readonly Session[], paint: Paint, home: string | undefined): string {
  const readable = sessions.flatMap((session) => (session.state === "readable" ? [session] : []));
  const damaged = sessions.flatMap((session) => (session.state === "damaged" ? [session] : []));
  const hasPlaces = readable.some(({ workspace }) => workspace !== undefined);
  const rows: readonly Row[] = readable.map((session) => {
    const { id, title, turns, tokens, cost, lastUsed, workspace } = session;
    const count = `${cost.usage.estimated ? "about " : ""}${grouped(tokens)}`;
    const price = tokens === 0 ? "" : costText(cost.usd, cost.unpriced);
    const used = lastUsed === undefined ? "never" : localTime(lastUsed);
    const place = hasPlaces ? [workspace === undefined ? "" : shortPath(workspace, home)] : [];
    return { cells: [id, used, String(turns), count, price, ...place, [title, ...remarks(session)].join(" ")] };
  });
  const reasons: readonly Row[] = damaged.map(({ id, damage }) => ({
    cells: [`${id}: damaged: ${damage}`],
    colour: "red",
  }));
  const names = ["id", "last used", "turns", "tokens", "cost", ...(hasPlaces ? ["workspace"] : []), "title"];
  const table = readable.length === 0 ? [] : columns([{ cells: names, colour: "bold" }, ...rows], paint);
  return [...table, ...columns(reasons, paint)].map((line) => `${line}\n`).join("");
}

/** What is unusual about a session. */
const remarks = ({ isUnfinished, holder, damagedLines = 0 }: SessionSummary): readonly string[] => [
  ...(isUnfinished
    ? [holder === undefined ? "(interrupted)" : `(running in ${plainLine(holder).replace(/ since \S+/, "")})`]
    : []),
  ...(damagedLines > 0 ? [`(${counted(damagedLines, "damaged line")}: see verify)`] : []),
];

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
export function summaryReport({ created, lastUsed, cost, ...rest }: SessionSummary): object {
  const { usage, usd, unpriced } = cost;
  const times = Object.entries({ created, lastUsed }).flatMap(([name, time]) =>
    time === undefined ? [] : [[name, isoTime(time)]],
  );
  return { ...rest, usage, usd, unpriced, ...Object.fromEntries(times) };
}
