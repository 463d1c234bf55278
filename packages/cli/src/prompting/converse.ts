import { join } from "node:path";
import { shellWord } from "@mdx-ai/base";
import {
  type AgentRun,
  offeredMcpServers,
  openTrusted,
  type PlacedRun,
  placeRun,
  readTrusted,
  type Surroundings,
  sessionWorkspaceOf,
  takeSession,
  toolsFolder,
  waitForSession,
} from "@mdx-ai/directory";
import type { AgentDirectory, TerminalSettings } from "@mdx-ai/parser";
import { lastSession, sessionSummary } from "@mdx-ai/runtime";
import { runWord } from "../arguments/directory-word.ts";
import type { CommandContext } from "../command-context.ts";
import { showDiagnostics } from "../output/diagnostics-text.ts";
import { canMoveCursor } from "../output/output.ts";
import { createInteractiveSession, isOnTerminal } from "../terminal/interactive-session.ts";
import { choosableModels } from "../terminal/model-command.ts";
import type { PickSessionOptions } from "../terminal/pick-session.ts";
import { openerOf } from "../trust/opener.ts";

export interface Conversing {
  readonly run: AgentRun;
  /** Whether the log is shown. */
  readonly isDebug: boolean;
  /** Whether it is a conversation in lines. */
  readonly isPlain: boolean;
}

/** A conversation on the terminal; returns the exit code. */
export async function converse(
  { run: asked, isDebug, isPlain: isToldPlain }: Conversing,
  context: CommandContext,
): Promise<number> {
  const isPlain = isToldPlain || !canMoveCursor(context.environment);
  // The user may have removed it by the end.
  const here = context.currentDirectory;
  const opener = openerOf(context, context.interruption.listen(), isPlain);
  const directory = await readTrusted(asked, opener);
  const choosing = { isPlain, signal: opener.signal };
  const chosen = isForChoice(asked) ? await chosenRun(asked, directory, context, choosing) : asked;
  if (typeof chosen === "number") return chosen;
  const run = placeRun(chosen, directory, context);
  await waitForSession(run, opener);
  context.interruption.release();
  const session = createInteractiveSession();
  const { onBackgroundEvent, onApproval, onServerQuestion, onSignIn, onReload, onLog } = session;
  const onWarning = (message: string): void => session.onWarning(context.keys.text(message));
  const broken = (read: AgentDirectory): void =>
    onReload.broken(showDiagnostics(read, { surroundings: context, output: context.stdout }));
  const heard = { onWarning, onBackgroundEvent, onApproval, onServerQuestion, onSignIn, ...(isDebug && { onLog }) };
  const listeners = { ...heard, wakes: true, waitsForServers: false, onReload: { ...onReload, broken } };
  offerServers(run, context);
  let isOpen = false;
  const surroundings: Surroundings = {
    ...context,
    // The terminal belongs to the conversation then: other output would break its layout.
    onNotice: (notice) => (isOpen && notice.type === "warning" ? onWarning(notice.text) : context.onNotice(notice)),
  };
  const open = await openTrusted(run, directory, { ...opener, ...listeners, surroundings });
  isOpen = true;
  try {
    if (run.isWaiting) {
      await takeSession(open.agent, run, { ...opener, signal: context.interruption.listen() });
      context.interruption.release();
    }
    await context.stderr.flush();
    return await session.run({
      agent: open.agent,
      ...(run.isEphemeral ? {} : { dataDir: run.data }),
      workspace: sessionWorkspaceOf(run, directory),
      folder: toolsFolder(run, directory),
      currentDirectory: here,
      models: choosableModels({ run, directory: () => open.directory, surroundings }),
      resumes: run.isResumed,
      isPicked: chosen !== asked,
      get skills() {
        return open.directory.definition.skills;
      },
      get permissions() {
        const { settings } = open.directory.definition;
        return { directory: settings, user: open.permissions.permissions, sandbox: open.permissions.sandbox };
      },
      terminal: { ...statusbarOf(directory), ...open.permissions.terminal },
      isPlain,
      session: open.session,
      environment: context.environment,
      ...(context.user !== undefined && { user: context.user }),
      redact: (text) => context.keys.text(text),
      wayBack: (id) => wayBack({ run, directory, session: id, here, user: context.user }),
    });
  } finally {
    await open.close();
  }
}

/** Names the MCP servers of a `.mcp.json` where the user works. They are never used unasked: they would run programs. */
function offerServers({ mcpConfig, workspace, cwd }: AgentRun, context: CommandContext): void {
  if (mcpConfig !== undefined) return;
  const folder = workspace ?? cwd;
  const names = offeredMcpServers(folder);
  if (names.length === 0) return;
  const file = shellWord(join(folder, ".mcp.json"));
  const text = `.mcp.json declares MCP servers: ${names.join(", ")}; use them with --mcp-config ${file}`;
  context.onNotice({ type: "note", text });
}

/** The status bar that a directory asks for. */
const statusbarOf = ({ definition: { settings } }: AgentDirectory): TerminalSettings =>
  settings.statusbar === undefined ? {} : { statusbar: settings.statusbar };

/** Whether the user is to choose the session to resume. */
const isForChoice = ({ isResumed, isContinued, session }: AgentRun): boolean =>
  isResumed && !isContinued && session === undefined && isOnTerminal();

/** The run with the session that the user chose; the exit code of a user who left instead. */
async function chosenRun(
  run: AgentRun,
  directory: AgentDirectory,
  context: CommandContext,
  choosing: PickSessionOptions,
): Promise<AgentRun | number> {
  const { pickSession } = await import("../terminal/pick-session.ts");
  const picked = await pickSession(run, directory, context, choosing);
  switch (picked.type) {
    case "left":
      return picked.exitCode;
    case "picked":
      return { ...run, session: picked.session };
    case "none":
      context.onNotice({ type: "note", text: "there is no session to resume; starting a new one" });
      return { ...run, isResumed: false };
  }
}

/** The run of a conversation that ends. */
interface EndedRun {
  readonly run: PlacedRun;
  readonly directory: AgentDirectory;
  /** Whose session it is, if the user said so. */
  readonly user: string | undefined;
  /** The one that the user left. */
  readonly session: string;
  /** The current folder. Absolute. */
  readonly here: string;
}

/** The command line that continues a session, in a sentence to copy from; undefined if there is nothing in it. */
function wayBack({ run, directory, session, here, user }: EndedRun): string | undefined {
  const summary = sessionSummary(run.data, session);
  if (summary.state === "readable" && summary.prompts === 0) return undefined;
  const workspace = sessionWorkspaceOf(run, directory);
  const isDefault = workspace === undefined && session === "main";
  const words = ["mdx-ai", runWord(run.directory), ...placeWords(run, here), ...userWords(user)];
  const line = [...words, ...(isDefault ? [] : ["--session", shellWord(session)])].join(" ");
  const isNewest = workspace !== undefined && lastSession(run.data, workspace) === session;
  return `Continue with: ${line}${isNewest ? " (or -c, while it is the newest here)" : ""}`;
}

const userWords = (user: string | undefined): readonly string[] =>
  user === undefined ? [] : ["--user", shellWord(user)];

/** The options that say where the session is, and where it works. */
const placeWords = ({ workspace, dataOption }: PlacedRun, here: string): readonly string[] => [
  ...(dataOption === undefined ? [] : ["--data", shellWord(dataOption)]),
  ...(workspace === undefined ? [] : workspace === here ? ["-w"] : ["--workspace", shellWord(workspace)]),
];
