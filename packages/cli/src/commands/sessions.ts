import { agentFolder, journalKeyFor, NEW_SESSION, warn } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import { rewindWithFiles } from "@mdx-ai/runtime";
import {
  fileStore,
  forkSession,
  JournalError,
  readSession,
  renameSession,
  rewindSession,
  sessionWorkspace,
  titleSession,
} from "@mdx-ai/sessions";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { numberOption } from "../arguments/option-values.ts";
import { type CommandAction, calledAction } from "../arguments/parse-arguments.ts";
import { agentData } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, interrupted, UsageError } from "../failures/program-error.ts";
import { exportSession } from "../sessions/export-session.ts";
import { listAll, type SessionsRun } from "../sessions/list-sessions.ts";
import { newestSession } from "../sessions/newest-session.ts";
import { sessionText, undoText, wrappedSession } from "../sessions/session-text.ts";
import { verify } from "../sessions/verify-sessions.ts";

const ACTIONS: ReadonlyMap<string, CommandAction<SessionsRun>> = new Map([
  ["list", { words: [], options: ["json", "workspace", "here"], run: listAll }],
  ["show", { words: ["[ID]"], options: [], run: show }],
  ["export", { words: ["ID"], options: ["format", "output"], run: exportSession }],
  ["fork", { words: ["ID", "NEW"], options: ["at"], run: fork }],
  ["rewind", { words: ["ID"], options: ["to", "files", "force"], run: rewind }],
  ["rename", { words: ["ID", "NEW"], options: [], run: rename }],
  ["title", { words: ["ID", "[TITLE]"], options: [], run: title }],
  ["delete", { words: ["ID"], options: ["yes"], run: deleteAsked }],
  ["verify", { words: ["[ID]"], options: ["check", "json"], run: verify }],
]);

/**
 * `mdx-ai sessions`: lists and manages an agent's sessions. Runs no code of the directory. `list` updates summaries; `show` and `export`
 * change nothing.
 */
export async function runSessions(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [directory = ".", name = "list", ...words] = args.positionals;
  const action = calledAction(ACTIONS, { command: "sessions", name, words, args });
  const agentDir = agentFolder(directory, context);
  const dataDir = agentData(directory, { args, isWriting: false }, context);
  const exitCode = await action.run({
    agentDir,
    dataDir,
    store: fileStore({ dataDirectory: dataDir }),
    words,
    args,
    context,
  });
  return context.interruption.exitCode ?? exitCode ?? EXIT_CODE.done;
}

function show({ dataDir, words, context }: SessionsRun): void {
  const [id = newestSession(dataDir, context)] = words;
  const session = readSession(dataDir, id);
  const { stdout, keys, paint } = context;
  const text = sessionText(session, { paint, redact: (given) => keys.text(given) });
  const columns = stdout.isTerminal ? process.stdout.columns : undefined;
  stdout.write(columns ? wrappedSession(text, columns) : text);
}

async function fork({ dataDir, words: [from = "", to = ""], args, context }: SessionsRun): Promise<void> {
  checkNewName(to);
  const at = numberOption(args, { name: "at", minimum: 0, isWhole: true });
  const head = await forkSession(dataDir, { from, to, at, now: Date.now(), onWarning: warn(context) });
  context.stdout.write(`Forked: ${plainLine(to)} continues from ${place(head)} of ${plainLine(from)}\n`);
}

async function rewind({ agentDir, dataDir, words: [id = ""], args, context }: SessionsRun): Promise<void> {
  const to = numberOption(args, { name: "to", minimum: 0, isWhole: true });
  if (to === undefined) throw new UsageError("sessions rewind needs the prompt to go back to: --to N");
  const force = args.switches.has("force");
  const rewinding = { id, to, now: Date.now(), onWarning: warn(context) };
  if (args.switches.has("files")) {
    const journalKey = journalKeyFor(agentDir, context);
    if (journalKey === undefined) throw new UsageError(NO_MARKS);
    const folder = sessionWorkspace(dataDir, id) ?? agentDir;
    const selfEditor = await context.openSelfEditor?.({ path: agentDir, mode: "ask", frontEnd: context });
    const taken = await rewindWithFiles(dataDir, { ...rewinding, agentDir, journalKey, selfEditor, force });
    const shown = { folder, from: context.currentDirectory };
    context.stdout.write(`${taken === undefined ? "There is no later prompt to undo." : undoText(taken, shown)}\n`);
    return;
  }
  if (force) throw new UsageError("--force needs --files; add that, or leave --force out");
  await rewindSession(dataDir, rewinding);
  context.stdout.write(`Rewound: ${plainLine(id)} continues from ${place(to)}; nothing is deleted\n`);
}

const NO_MARKS =
  "files can be restored only if the agent cannot write the key that signs their records; set XDG_STATE_HOME to a folder outside the agent directory";

const place = (prompt: number): string => (prompt === 0 ? "before the first prompt" : `the end of prompt ${prompt}`);

function rename({ dataDir, words: [from = "", to = ""], context }: SessionsRun): void {
  checkNewName(to);
  renameSession(dataDir, { from, to, now: Date.now() });
  context.stdout.write(`Renamed: ${plainLine(from)} is now ${plainLine(to)}\n`);
}

function title({ dataDir, words: [id = "", text = ""], context }: SessionsRun): void {
  const kept = titleSession(dataDir, id, context.keys.text(text));
  const shown =
    kept === "" ? `${plainLine(id)} has its first prompt as its title` : `${plainLine(id)} is "${plainLine(kept)}"`;
  context.stdout.write(`Titled: ${shown}\n`);
}

function checkNewName(name: string): void {
  if (name !== NEW_SESSION) return;
  throw new UsageError(`a session cannot be called "${NEW_SESSION}": --session ${NEW_SESSION} starts a new one`);
}

/**
 * Deletes a session with its history after `--yes` or a question on the terminal. Rejects with `UsageError` without a terminal, with
 * `ProgramError` (interrupted) if the question is aborted, or as `SessionStore.delete` does.
 */
async function deleteAsked({ dataDir, store, words: [id = ""], args, context }: SessionsRun): Promise<void> {
  const isSure = args.switches.has("yes") || (await mayDelete(dataDir, id, context));
  if (!isSure) {
    context.stderr.write("Nothing was deleted.\n");
    return;
  }
  store.delete(id);
  context.stdout.write(`Deleted: ${plainLine(id)}\n`);
}

async function mayDelete(dataDir: string, id: string, context: CommandContext): Promise<boolean> {
  const title = titleOf(dataDir, id);
  if (!context.canAsk) {
    throw new UsageError("there is no terminal to ask on; confirm with --yes");
  }
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({
    message: `Delete session ${plainLine(`${id} (${title})`)} with its history, for good?`,
    initialValue: false,
    output: process.stderr,
    signal: context.interruption.listen(),
  });
  if (isCancel(answer)) throw interrupted();
  return answer;
}

function titleOf(dataDir: string, id: string): string {
  try {
    return readSession(dataDir, id).summary.title;
  } catch (error) {
    // A session that cannot be read can still be deleted.
    if (error instanceof JournalError) return "damaged";
    throw error;
  }
}
