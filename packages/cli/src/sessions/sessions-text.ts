import type { SessionCatalog } from "@mdx-ai/runtime";
import { columns, type Row } from "../configuration/columns.ts";
import { grouped } from "../output/figures.ts";
import type { Paint } from "../output/paint.ts";
import { costText } from "../output/spending-text.ts";
import { localTime } from "./times.ts";

type Session = SessionCatalog["sessions"][number];

const HEAD: Row = { cells: ["id", "last used", "turns", "tokens", "cost", "title"], colour: "bold" };

/** Sessions for people, one a line. */
export function sessionsText(sessions: readonly Session[], paint: Paint): string {
  const readable = sessions.flatMap((session) => (session.state === "readable" ? [session] : []));
  const damaged = sessions.flatMap((session) => (session.state === "damaged" ? [session] : []));
  const rows: readonly Row[] = readable.map(({ id, title, turns, tokens, spending, lastUsed, isUnfinished }) => {
    const count = `${spending.usage.estimated ? "about " : ""}${grouped(tokens)}`;
    const cost = tokens === 0 ? "" : costText(spending.usd, spending.unpriced);
    const name = `${title}${isUnfinished ? " (unfinished)" : ""}`;
    return { cells: [id, lastUsed === undefined ? "never" : localTime(lastUsed), String(turns), count, cost, name] };
  });
  const reasons: readonly Row[] = damaged.map(({ id, damage }) => ({
    cells: [`${id}: damaged: ${damage}`],
    colour: "red",
  }));
  const table = readable.length === 0 ? [] : columns([HEAD, ...rows], paint);
  return [...table, ...columns(reasons, paint)].map((line) => `${line}\n`).join("");
}
