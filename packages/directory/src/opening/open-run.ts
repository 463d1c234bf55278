import { createRedactor, type Redactor, systemClock } from "@mdx-ai/base";
import type { LanguageModel } from "@mdx-ai/models";
import { type Agent, type AgentOptions, openAgent, type ProgramModules } from "@mdx-ai/runtime";
import { type FrontEnd, warn } from "../front-end.ts";
import { programMemory } from "../memory/program-memory.ts";
import { openModels, openNoModel, type RunModels } from "../models/open-models.ts";
import { Reloader, type ReloadListener } from "../reloading/reloader.ts";
import type { RunSettings } from "../settings/run-settings.ts";
import { type ReadDirectory, trustOf } from "../trust/trusted-directory.ts";
import { discardNewSession, takeSession, waitForSession } from "./choose-session.ts";
import type { PreparedRun } from "./prepare-run.ts";

/**
 * The receivers of events and questions, the tools that the front end adds, the stubs for those of agent.mdx, whether the heartbeat
 * runs, and whether prompts resume foreign ones.
 */
type RunCallbacks = Pick<
  AgentOptions,
  | "onWarning"
  | "onLog"
  | "onBackgroundEvent"
  | "onApproval"
  | "wakes"
  | "connects"
  | "waitsForServers"
  | "onServerQuestion"
  | "onSignIn"
  | "resumesUntrusted"
  | "tools"
  | "toolStubs"
>;

/** The front end that opens an agent and follows it. */
export interface OpenOptions extends RunCallbacks {
  readonly frontEnd: FrontEnd;
  /** Aborts the waiting for a session; then closing the agent waits for nothing that the next run can finish. */
  readonly signal: AbortSignal;
  /** Replaces the models that flags and settings choose. */
  readonly model?: LanguageModel;
  /** No model will be called, so that no configuration is needed. */
  readonly isModelless?: boolean;
  /** An ephemeral run has no memory, but for one that shows what a model receives. */
  readonly showsMemory?: boolean;
  /** Receives the results of reloads; without it the agent stays as it was opened. */
  readonly onReload?: ReloadListener;
}

/** An open agent, and what a front end needs beside it. */
export interface OpenDirectory {
  readonly agent: Agent;
  /** The current state, with its diagnostics; a reload replaces it. */
  readonly directory: ReadDirectory;
  readonly settings: RunSettings;
  /** With sessions, state and logs. Absolute. */
  readonly dataDirectory: string;
  /** The session of prompts that name none. */
  readonly session: string;
  /** Closes the agent. A session that was made for the run goes if nobody has said anything in it. */
  close(): Promise<void>;
}

/**
 * Opens the models and the agent of a prepared run, and takes its session if it waits for it. Rejects with `DirectoryError` ("interrupted"),
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
 * Opens an agent for its tools alone: it needs no model, never wakes, and its warnings are notices. Rejects as `openRun` does.
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
  { frontEnd, model, isModelless = false, showsMemory = false, signal, onReload: _, ...callbacks }: OpenOptions,
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
  const hasMemory = !options.isEphemeral || showsMemory;
  const memory = { frontEnd, model: models.model, redactor, isRemembering: !isModelless, onWarning, signal };
  return {
    directory,
    ...(hasMemory && { programModules: memoryOfRun(run, memory) }),
    ...models,
    ...permissions,
    ...trustOf(directory),
    ...{ dataDirectory: data, redactor, toolHostCommand, environment },
    cwd: options.cwd,
    ...(workspace !== undefined && { workspace: workspace.path }),
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

/** The memory of a run: nothing of it is loaded unless the directory's settings switch it on. */
function memoryOfRun(
  { options, directory, data, settings }: PreparedRun,
  { frontEnd, redactor, ...memory }: RunMemoryOptions,
): ProgramModules {
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

/** How the client of MCP servers begins what it prints. */
const OF_CLIENT = /^\[mcp-sdk\] /;

/**
 * From now on each call of `console` becomes one message. Modules and the client of MCP servers run in this process: what they print
 * must neither mix with an answer or with JSON on standard output, nor reach a terminal as it is.
 */
function divertConsole(onMessage: (message: string) => void): void {
  const say = (...values: readonly unknown[]): void => {
    const text = format(values);
    const isOfClient = OF_CLIENT.test(text);
    onMessage(`${isOfClient ? "the MCP client" : "a module"} prints: ${text.replace(OF_CLIENT, "")}`);
  };
  for (const method of PRINTING) console[method] = say;
  console.dir = (value: unknown) => say(value);
  console.table = (value: unknown) => say(value);
}

/** Loaded when it is first needed: most modules print nothing. */
const format = (values: readonly unknown[]): string => process.getBuiltinModule("node:util").format(...values);
