import { resolve } from "node:path";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { warn } from "@mdx-ai/directory";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { counted, grouped, isoTime, localTime } from "@mdx-ai/directory/views/figures";
import { costText } from "@mdx-ai/directory/views/prompt-lines";
import type { SessionCatalog, SessionStore, SessionSummary } from "@mdx-ai/sessions";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { textOption } from "../arguments/option-values.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";
import { columns, type Row, shortPath } from "../output/line-layout.ts";
import type { Paint } from "../output/output.ts";
import { userOf } from "./user-name.ts";

/** A call of an action of `mdx-ai sessions`, with checked arguments. */
export interface SessionsRun {
  /** The agent directory. Absolute. */
  readonly agentDir: string;
  /** The folder that contains its sessions. Absolute. */
  readonly dataDir: string;
  readonly store: SessionStore;
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly context: CommandContext;
}

/**
 * Prints the sessions, as JSON with `--json`; with `--workspace` or `-w`, only those of a folder. Throws `UsageError`, or as `SessionStore.list`
 * does.
 */
export function listAll({ store, args, context }: SessionsRun): void {
  const catalog = ofWorkspace(store.list(), workspaceOption(args, context));
  if (args.switches.has("json")) {
    context.stdout.write(`${jsonText(context.keys.value(catalogReport(catalog, userName(args, context))), 2)}\n`);
    return;
  }
  for (const note of catalog.skipped) warn(context)(note);
  if (catalog.sessions.length === 0) context.stderr.write("There is no session yet.\n");
  else
    context.stdout.write(context.keys.text(sessionsText(catalog.sessions, context.paint, context.environment["HOME"])));
}

/** The real path of `--workspace` or `-w`; undefined without either. Throws `UsageError`. */
function workspaceOption(args: ParsedArguments, place: CommandContext): string | undefined {
  const given = textOption(args, "workspace", "a folder");
  const isHere = args.switches.has("here");
  if (given !== undefined && isHere) throw new UsageError("--workspace and -w name two folders; leave one out");
  return given === undefined && !isHere ? undefined : realPathOrSame(resolve(place.currentDirectory, given ?? "."));
}

/** The sessions of a workspace, if one is given. */
function ofWorkspace({ sessions, skipped }: SessionCatalog, workspace: string | undefined): SessionCatalog {
  if (workspace === undefined) return { sessions, skipped };
  const isThere = (session: (typeof sessions)[number]): boolean =>
    session.state === "readable" && session.workspace === workspace;
  return { sessions: sessions.filter(isThere), skipped };
}

type Session = SessionCatalog["sessions"][number];

/** One line per session. Workspaces have a column if any exist; those in the home folder are shortened. */
export function sessionsText(sessions: readonly Session[], paint: Paint, home: string | undefined): string {
  const readable = sessions.flatMap((session) => (session.state === "readable" ? [session] : []));
  const damaged = sessions.flatMap((session) => (session.state === "damaged" ? [session] : []));
  const hasPaths = readable.some(({ workspace }) => workspace !== undefined);
  const rows: readonly Row[] = readable.map((session) => {
    const { id, title, turns, tokens, cost, lastUsed, workspace } = session;
    const count = `${cost.usage.estimated ? "about " : ""}${grouped(tokens)}`;
    const price = tokens === 0 ? "" : costText(cost.usd, cost.unpriced);
    const used = lastUsed === undefined ? "never" : localTime(lastUsed);
    const place = hasPaths ? [workspace === undefined ? "" : shortPath(workspace, home)] : [];
    return { cells: [id, used, String(turns), count, price, ...place, [title, ...remarks(session)].join(" ")] };
  });
  const reasons: readonly Row[] = damaged.map(({ id, damage }) => ({
    cells: [`${id}: damaged: ${damage}`],
    colour: "red",
  }));
  const names = ["id", "last used", "turns", "tokens", "cost", ...(hasPaths ? ["workspace"] : []), "title"];
  const table = readable.length === 0 ? [] : columns([{ cells: names, colour: "bold" }, ...rows], paint);
  return [...table, ...columns(reasons, paint)].map((line) => `${line}\n`).join("");
}

/** Unusual facts about a session. */
const remarks = ({ isUnfinished, holder, damagedLines = 0 }: SessionSummary): readonly string[] => [
  ...(isUnfinished
    ? [holder === undefined ? "(interrupted)" : `(running in ${plainLine(holder).replace(/ since \S+/, "")})`]
    : []),
  ...(damagedLines > 0 ? [`(${counted(damagedLines, "damaged line")}: see verify)`] : []),
];

/** The user that sessions are of: `--user`, else the person who runs the program. */
const userName = ({ values }: ParsedArguments, { environment }: CommandContext): string =>
  values.get("user") ?? userOf(environment);

/** Sessions as JSON: times are ISO 8601, costs are US dollars; a damaged session has only its id and `damage`. */
interface CatalogReport {
  readonly sessions: readonly object[];
  readonly skipped: readonly string[];
}

const catalogReport = ({ sessions, skipped }: SessionCatalog, user: string): CatalogReport => ({
  sessions: sessions.map((session) => (session.state === "damaged" ? session : summaryReport(session, user))),
  skipped,
});

/** One session as JSON, with its user if one is given. */
export function summaryReport({ created, lastUsed, cost, skills, ...rest }: SessionSummary, user?: string): object {
  const { usage, usd, unpriced } = cost;
  const times = Object.entries({ created_at: created, updated_at: lastUsed }).flatMap(([name, time]) =>
    time === undefined ? [] : [[name, isoTime(time)]],
  );
  const { enabled, disabled } = skills ?? { enabled: [], disabled: [] };
  const choices = { enabled_skills: enabled, disabled_skills: disabled };
  return {
    ...rest,
    ...(user !== undefined && { user_id: user }),
    ...choices,
    usage,
    usd,
    unpriced,
    ...Object.fromEntries(times),
  };
}
