import { createRedactor, type Redactor, systemClock } from "@mdx-ai/base";
import type { LanguageModel } from "@mdx-ai/models";
import { type Agent, type AgentOptions, openAgent, type ProgramModules } from "@mdx-ai/runtime";
import { type FrontEnd, warn } from "../front-end.ts";
import { openModels, openNoModel, type RunModels } from "../models/open-models.ts";
import { Reloader, type ReloadListener } from "../reloading/reloader.ts";
import { memorySettings, type RunSettings } from "../settings/run-settings.ts";
import { type ReadDirectory, trustOf } from "../trust/trusted-directory.ts";
import { discardNewSession, type PreparedRun } from "./prepare-run.ts";
import { takeSession, waitForSession } from "./wait-for-session.ts";

/**
 * The receivers of events and questions, additional tools, stubs for the tools of agent.mdx, whether the heartbeat
 * runs, and whether prompts resume untrusted ones.
 */
type RunCallbacks = Pick<
  AgentOptions,
  | "onWarning"
  | "onLog"
  | "onBackgroundEvent"
  | "onApproval"
  | "wakes"
  | "onlyTask"
  | "connects"
  | "waitsForServers"
  | "onServerQuestion"
  | "onSignIn"
  | "resumesUntrusted"
  | "tools"
  | "toolStubs"
  | "editor"
>;

/** The options of the front end that opens an agent. */
export interface OpenOptions extends RunCallbacks {
  readonly frontEnd: FrontEnd;
  /** Aborts the wait for a session. After that, closing the agent does not wait for work that the next run can finish. */
  readonly signal: AbortSignal;
  /** Replaces the models from flags and settings. */
  readonly model?: LanguageModel;
  /** Whether no model will be called, so that no configuration is needed. */
  readonly isModelless?: boolean;
  /** Whether an ephemeral run still has its memory, to show what a model receives. */
  readonly showsMemory?: boolean;
  /** Receives the results of reloads. Without it, the agent is never reloaded. */
  readonly onReload?: ReloadListener;
}

/** An open agent and the handles that a front end needs. */
export interface OpenDirectory {
  readonly agent: Agent;
  /** The current directory with its diagnostics. A reload replaces it. */
  readonly directory: ReadDirectory;
  readonly settings: RunSettings;
  /** With sessions, state and logs. Absolute. */
  readonly dataDirectory: string;
  /** The session of prompts that name no other. */
  readonly session: string;
  /** Closes the agent. Removes a session that was created for the run and has no prompt. */
  close(): Promise<void>;
}

/**
 * Opens the models and the agent of a prepared run. If the run waits for its session, locks it. Rejects with `DirectoryError` ("interrupted"),
 * or as `openModels`, `openAgent` and `sessionFree` do.
 */
export async function openRun(run: PreparedRun, options: OpenOptions): Promise<OpenDirectory> {
  try {
    if (run.options.isWaiting) await waitForSession(run, options);
    const { onReload: listener, frontEnd } = options;
    const reloader = listener && new Reloader({ run: run.options, directory: run.directory, frontEnd, listener });
    const refresh = reloader && { refresh: (stop: AbortSignal) => reloader.refresh(stop) };
    const agent = await openAgent({ ...(await agentOptions(run, options)), ...refresh });
    if (run.options.isWaiting) await takeOrClose(agent, run, options);
    return {
      agent,
      get directory() {
        return reloader?.directory ?? run.directory;
      },
      settings: run.settings,
      dataDirectory: run.data,
      session: run.session ?? "main",
      close: async () => {
        await agent.close();
        discardNewSession(run);
      },
    };
  } catch (error) {
    discardNewSession(run);
    throw error;
  }
}

async function takeOrClose(agent: Agent, run: PreparedRun, options: OpenOptions): Promise<void> {
  try {
    await takeSession(agent, run, options);
  } catch (error) {
    await agent.close();
    throw error;
  }
}

/**
 * Opens an agent for its tools only: it needs no model, never wakes, and its warnings are notices. Rejects as `openRun` does.
 */
export const openForTools = (
  run: PreparedRun,
  frontEnd: FrontEnd,
  options: Pick<OpenOptions, "toolStubs" | "onServerQuestion" | "onSignIn" | "showsMemory"> = {},
): Promise<OpenDirectory> =>
  openRun(run, {
    ...{ frontEnd, onWarning: warn(frontEnd), signal: new AbortController().signal },
    ...{ wakes: false, connects: false, isModelless: true },
    ...options,
  });

/** The options of the agent of a prepared run, with its models open. Rejects as `openModels` does. */
export async function agentOptions(
  run: PreparedRun,
  { frontEnd, model, isModelless = false, showsMemory = false, signal, onReload, ...callbacks }: OpenOptions,
): Promise<AgentOptions> {
  const { options, directory, data, workspace, session, settings } = run;
  const { environment, toolHostCommand, toolNetwork, ownsConsole = false } = frontEnd;
  const { onWarning = warn(frontEnd) } = callbacks;
  const chosen = (): Promise<RunModels> =>
    isModelless ? openNoModel(environment) : openModels(options, directory, frontEnd);
  const { notices, ...models }: RunModels = model === undefined ? await chosen() : { model, notices: [] };
  for (const notice of notices) onWarning(notice);
  if (ownsConsole) divertConsole(onWarning);
  const { terminal: _terminal, memory: _memory, ...permissions } = settings;
  const redactor =
    frontEnd.redactor ?? createRedactor({ environment, ...(models.secrets && { secrets: models.secrets }) });
  // A reload may switch it on.
  const mayRemember = onReload !== undefined || memorySettings(directory, settings.memory) !== undefined;
  const hasMemory = mayRemember && (!options.isEphemeral || showsMemory);
  const memory = { frontEnd, model: models.model, redactor, isRemembering: !isModelless, onWarning, signal };
  return {
    directory,
    ...(hasMemory && { programModules: await memoryOfRun(run, memory) }),
    ...models,
    openModel: async (reference) => {
      const { model: opened } = await openModels(
        { ...options, flags: { ...options.flags, model: reference } },
        directory,
        frontEnd,
      );
      return opened;
    },
    ...permissions,
    ...trustOf(directory),
    ...{ dataDirectory: data, redactor, toolHostCommand, environment },
    cwd: options.cwd,
    ...(workspace !== undefined && { workspace: workspace.path }),
    ...(options.additionalDirectories !== undefined && { additionalDirectories: options.additionalDirectories }),
    ...(toolNetwork !== undefined && { toolNetwork }),
    ephemeral: options.isEphemeral,
    ...(options.maxTurns !== undefined && { maxTurns: options.maxTurns }),
    ...(options.answersWithin !== undefined && { answersWithin: options.answersWithin }),
    ...(session !== undefined && { session }),
    ...callbacks,
  };
}

interface RunMemoryOptions {
  readonly frontEnd: FrontEnd;
  readonly model: LanguageModel;
  readonly redactor: Redactor;
  readonly isRemembering: boolean;
  readonly onWarning: (message: string) => void;
  readonly signal: AbortSignal;
}

/** The memory of a run. */
async function memoryOfRun(
  { options, directory, data, settings }: PreparedRun,
  { frontEnd, redactor, ...memory }: RunMemoryOptions,
): Promise<ProgramModules> {
  const { programMemory } = await import("../memory/program-memory.ts");
  return programMemory({
    ...{ ...memory, environment: frontEnd.environment, clock: systemClock },
    ofUser: settings.memory,
    dataDirectory: data,
    openModel: async (reference) => {
      const { model } = await openModels({ ...options, flags: { model: reference } }, directory, frontEnd);
      return model;
    },
    redact: (text) => redactor.text(text),
  });
}

const PRINTING = ["log", "info", "debug", "warn", "error", "trace"] as const;

/** The prefix of the MCP client's output. */
const OF_CLIENT = /^\[mcp-sdk\] /;

/**
 * Redirects each call of `console` to one message. Modules and the MCP client run in this process: their output
 * must not mix with an answer or JSON on stdout, and must not reach a terminal unfiltered.
 */
function divertConsole(onMessage: (message: string) => void): void {
  const say = (...values: readonly unknown[]): void => {
    const text = format(values);
    const isOfClient = OF_CLIENT.test(text);
    onMessage(`${isOfClient ? "MCP client" : "module"} output: ${text.replace(OF_CLIENT, "")}`);
  };
  for (const method of PRINTING) console[method] = say;
  console.dir = (value: unknown) => say(value);
  console.table = (value: unknown) => say(value);
}

/** Loaded lazily: most modules print nothing. */
const format = (values: readonly unknown[]): string => process.getBuiltinModule("node:util").format(...values);
