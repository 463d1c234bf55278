import { resolve } from "node:path";
import { warn } from "@mdx-ai/directory";
import { jsonText } from "@mdx-ai/directory/text";
import { listSessions, type SessionCatalog } from "@mdx-ai/runtime";
import { realPlaceOrSame } from "@mdx-ai/runtime/files";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";
import { createPaint } from "../output/paint.ts";
import { catalogReport, sessionsText } from "./sessions-text.ts";

/** Which sessions to list. */
export interface SessionList {
  /** Absolute. */
  readonly dataDir: string;
  readonly args: ParsedArguments;
  readonly context: CommandContext;
}

/** Prints the sessions, as JSON with `--json`; with `--workspace` or `-w` those of a folder. Throws `UsageError`, or as `listSessions` does. */
export function listAll({ dataDir, args, context }: SessionList): void {
  const catalog = ofWorkspace(listSessions(dataDir), workspaceOption(args, context));
  if (args.switches.has("json")) {
    context.stdout.write(`${jsonText(context.keys.value(catalogReport(catalog)), 2)}\n`);
    return;
  }
  for (const note of catalog.skipped) warn(context)(note);
  if (catalog.sessions.length === 0) context.stderr.write("There is no session yet.\n");
  else
    context.stdout.write(
      context.keys.text(
        sessionsText(catalog.sessions, createPaint(context.stdout, context.environment), context.environment["HOME"]),
      ),
    );
}

/** The folder of `--workspace` or `-w`, links resolved; undefined without them. Throws `UsageError`. */
function workspaceOption({ values, switches }: ParsedArguments, place: CommandContext): string | undefined {
  const given = values.get("workspace");
  const isHere = switches.has("here");
  if (given === "") throw new UsageError('--workspace needs a folder, and got ""');
  if (given !== undefined && isHere) throw new UsageError("--workspace and -w name two folders; leave one out");
  return given === undefined && !isHere ? undefined : realPlaceOrSame(resolve(place.currentDirectory, given ?? "."));
}

/** The sessions of a workspace, if one is given. */
function ofWorkspace({ sessions, skipped }: SessionCatalog, workspace: string | undefined): SessionCatalog {
  if (workspace === undefined) return { sessions, skipped };
  const isThere = (session: (typeof sessions)[number]): boolean =>
    session.state === "readable" && session.workspace === workspace;
  return { sessions: sessions.filter(isThere), skipped };
}
