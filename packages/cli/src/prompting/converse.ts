import { join } from "node:path";
import { shellWord } from "@mdx-ai/base";
import {
  choosableModels,
  type FrontEnd,
  offeredMcpServers,
  openRun,
  type PreparedRun,
  prepareRun,
  type RunOptions,
  readTrusted,
} from "@mdx-ai/directory";
import type { AgentDirectory, TerminalSettings } from "@mdx-ai/parser";
import { lastSession, sessionSummary } from "@mdx-ai/sessions";
import { runWord } from "../arguments/directory-word.ts";
import { trustOptions } from "../asking/command-questions.ts";
import type { CommandContext } from "../command-context.ts";
import { showDiagnostics } from "../output/diagnostics-text.ts";
import { canRedraw } from "../output/output.ts";
import { createInteractiveSession, isOnTerminal } from "../terminal/interactive-session.ts";
import type { PickSessionOptions } from "../terminal/pick-session.ts";
import { dataWords } from "./data-words.ts";

export interface Conversing {
  readonly run: RunOptions;
  /** Whether to show the log. */
  readonly isDebug: boolean;
  /** Whether to use a conversation in lines. */
  readonly isPlain: boolean;
}

/** Runs a conversation on the terminal. Returns the exit code. */
export async function converse(
  { run: asked, isDebug, isPlain: isToldPlain }: Conversing,
  context: CommandContext,
): Promise<number> {
  const isPlain = isToldPlain || !canRedraw(context.environment);
  // Read now, since the user may have removed the folder by the end.
  const here = context.currentDirectory;
  const signal = context.interruption.listen();
  const directory = await readTrusted(asked, trustOptions(context, signal, isPlain));
  const choosing = { isPlain, signal };
  const chosen = isForChoice(asked) ? await chosenRun(asked, directory, context, choosing) : asked;
  if (typeof chosen === "number") return chosen;
  const { withRepository } = await import("../asking/repository-question.ts");
  const joined = await withRepository({ options: chosen, directory }, context, choosing);
  const run = await prepareRun(joined.options, joined.directory, context);
  // Only while waiting for a session is a signal handled in an orderly way.
  if (!chosen.isWaiting) context.interruption.release();
  const session = createInteractiveSession();
  const { onBackgroundEvent, onApproval, onBudget, onServerQuestion, onSignIn, onReload, onLog } = session;
  const onWarning = (message: string): void => session.onWarning(context.keys.text(message));
  const broken = (read: AgentDirectory): void =>
    onReload.broken(showDiagnostics(read, { frontEnd: context, output: context.stdout }));
  const heard = {
    onWarning,
    onBackgroundEvent,
    onApproval,
    onBudget,
    onServerQuestion,
    onSignIn,
    ...(isDebug && { onLog }),
  };
  const listeners = {
    ...heard,
    wakes: true,
    waitsForServers: false,
    waitsForAgents: false,
    onReload: { ...onReload, broken },
  };
  if (run.workspace === undefined) offerServers(joined.options, context);
  let isOpen = false;
  const frontEnd: FrontEnd = {
    ...context,
    moreSkills: joined.moreSkills,
    // The conversation owns the terminal; other output would break its layout.
    onNotice: (notice) => (isOpen && notice.type === "warning" ? onWarning(notice.text) : context.onNotice(notice)),
  };
  const open = await openRun(run, { ...listeners, frontEnd, signal });
  isOpen = true;
  context.interruption.release();
  try {
    await context.stderr.flush();
    return await session.run({
      agent: open.agent,
      ...(chosen.isEphemeral ? {} : { dataDir: run.data }),
      workspace: run.workspace?.real,
      folder: run.folder,
      currentDirectory: here,
      models: choosableModels({ run: chosen, directory: () => open.directory, frontEnd }),
      resumes: chosen.isResumed,
      isPicked: chosen !== asked,
      get skills() {
        return open.directory.definition.skills;
      },
      get permissions() {
        const { settings } = open.directory.definition;
        return { directory: settings, user: open.settings.permissions, sandbox: open.settings.sandbox };
      },
      terminal: { ...terminalOf(directory), ...open.settings.terminal },
      isPlain: isPlain || open.settings.terminal.plain === "on",
      session: open.session,
      environment: context.environment,
      ...(context.user !== undefined && { user: context.user }),
      isClaimed: context.lostErrors.isClaimed,
      redact: (text) => context.keys.text(text),
      wayBack: (id) => wayBack({ run, session: id, here, user: context.user }),
    });
  } finally {
    await open.close();
  }
}

/** Mentions the MCP servers of a `.mcp.json` in the current folder of an agent that works in its own. */
function offerServers({ mcpConfig, cwd }: RunOptions, context: CommandContext): void {
  if (mcpConfig !== undefined) return;
  const names = offeredMcpServers(cwd);
  if (names.length === 0) return;
  const file = shellWord(join(cwd, ".mcp.json"));
  const text = `.mcp.json declares MCP servers: ${names.join(", ")}; use them with --mcp-config ${file}`;
  context.onNotice({ type: "note", text });
}

/** The status bar and the tool output that a directory requests. */
const terminalOf = ({ definition: { settings } }: AgentDirectory): TerminalSettings => ({
  ...(settings.statusbar !== undefined && { statusbar: settings.statusbar }),
  ...(settings.tool_output !== undefined && { tool_output: settings.tool_output }),
});

/** Whether the user chooses the session to resume. */
const isForChoice = ({ isResumed, isContinued, session }: RunOptions): boolean =>
  isResumed && !isContinued && session === undefined && isOnTerminal();

/** The run with the chosen session; the exit code if the user left. */
async function chosenRun(
  run: RunOptions,
  directory: AgentDirectory,
  context: CommandContext,
  choosing: PickSessionOptions,
): Promise<RunOptions | number> {
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

/** The run of a conversation that has ended. */
interface EndedRun {
  readonly run: PreparedRun;
  /** The user of the session, if one was given. */
  readonly user: string | undefined;
  /** The session that the user left. */
  readonly session: string;
  /** The current folder. Absolute. */
  readonly here: string;
}

/** A sentence with the command line that resumes a session; undefined if the session is empty. */
function wayBack({ run, session, here, user }: EndedRun): string | undefined {
  const summary = sessionSummary(run.data, session);
  if (summary.state === "readable" && summary.prompts === 0) return undefined;
  const workspace = run.workspace?.real;
  const isDefault = workspace === undefined && session === "main";
  const { options } = run;
  const words = ["mdx-ai", runWord(options.directory), ...dataWords(options, user), ...workspaceWords(options, here)];
  const line = [...words, ...(isDefault ? [] : ["--session", shellWord(session)])].join(" ");
  const isNewest = workspace !== undefined && lastSession(run.data, workspace) === session;
  return `Continue with: ${line}${isNewest ? " (or -c, while it is the newest here)" : ""}`;
}

function workspaceWords({ workspace }: RunOptions, here: string): readonly string[] {
  if (workspace === undefined) return [];
  return workspace === here ? ["-w"] : ["--workspace", shellWord(workspace)];
}
