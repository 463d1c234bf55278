import { createRedactor, defined, type Redactor, systemClock } from "@mdx-ai/base";
import type { LanguageModel } from "@mdx-ai/models";
import {
  type Agent,
  type AgentChanges,
  type AgentOptions,
  loadSessionCode,
  openAgent,
  type ProgramModules,
  type Subagent,
} from "@mdx-ai/runtime";
import { type FrontEnd, warn } from "../front-end.ts";
import { holdVersion } from "../installed-agents.ts";
import { openModels, openNoModel, type RunModels } from "../models/open-models.ts";
import { isInstalled } from "../paths.ts";
import { Reloader } from "../reloading/reloader.ts";
import { memorySettings } from "../settings/run-settings.ts";
import { trustOf } from "../trust/trusted-directory.ts";
import type { OpenDirectory, OpenOptions } from "./open-options.ts";
import { discardNewSession, type PreparedRun } from "./prepare-run.ts";
import { takeSession, waitForSession } from "./wait-for-session.ts";

/**
 * Opens the models and the agent of a prepared run. If the run waits for its session, locks it. Rejects with `DirectoryError` ("interrupted"),
 * or as `openModels`, `openAgent` and `sessionFree` do.
 */
export async function openRun(run: PreparedRun, options: OpenOptions): Promise<OpenDirectory> {
  const { environment } = options.frontEnd;
  const held = [holdVersion(run.directory.realPath, environment)];
  const release = (): void => {
    for (const end of held) end();
    discardNewSession(run);
  };
  try {
    if (run.options.isWaiting) await waitForSession(run, options);
    const { onReload: listener, frontEnd } = options;
    const reloader = listener && new Reloader({ run: run.options, directory: run.directory, frontEnd, listener });
    const opened = await agentOptions(run, options);
    const refresh = reloader && {
      refresh: async (stop: AbortSignal) => {
        const changes = await refreshed(reloader, { run, options, opened }, stop);
        if (changes !== undefined) held.push(holdVersion(reloader.directory.realPath, environment));
        return changes;
      },
    };
    const agent = await openAgent({ ...opened, ...refresh });
    if (run.options.isWaiting) await takeOrClose(agent, run, options);
    return {
      agent,
      get directory() {
        return reloader?.directory ?? run.directory;
      },
      settings: run.settings,
      dataDirectory: run.data,
      folder: run.folder,
      session: run.session ?? "main",
      close: async (how) => {
        await agent.close(how);
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

interface Refreshing {
  readonly run: PreparedRun;
  readonly options: OpenOptions;
  readonly opened: AgentOptions;
}

/** The changes of a reload, with the agents that then work for the agent. */
async function refreshed(
  reloader: Reloader,
  { run, options, opened }: Refreshing,
  stop: AbortSignal,
): Promise<AgentChanges | undefined> {
  const changes = await reloader.refresh(stop);
  const { directory } = reloader;
  if (changes === undefined || (directory.definition.agents === undefined && opened.agents === undefined))
    return changes;
  const models: RunModels = { ...opened, ...changes, notices: [] };
  return { ...changes, agents: await subagents({ ...run, directory }, options, models) };
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
export async function agentOptions(run: PreparedRun, given: OpenOptions): Promise<AgentOptions> {
  const {
    frontEnd,
    model,
    isModelless = false,
    showsMemory = false,
    signal,
    onReload,
    parent,
    inherited,
    callerHooks: _hooks,
    ...callbacks
  } = given;
  const { options, directory, data, workspace, session, settings } = run;
  const { environment, toolHostCommand, toolNetwork, watchErrors, ownsConsole = false } = frontEnd;
  const { onWarning = warn(frontEnd) } = callbacks;
  const chosen = (): Promise<RunModels> =>
    isModelless ? openNoModel(environment) : openModels(options, directory, frontEnd, inherited);
  const opened: RunModels = model === undefined ? await chosen() : { model, notices: [] };
  const { notices, ...models } = opened;
  for (const notice of notices) onWarning(notice);
  if (ownsConsole) divertConsole(onWarning);
  const { terminal: _terminal, memory: _memory, questionsDirectory, ...permissions } = settings;
  const agents = await subagents(run, given, opened);
  const { redactor, onKey } = redactorOf(frontEnd, models.secrets);
  // A reload may switch it on.
  const mayRemember = onReload !== undefined || memorySettings(directory, settings.memory) !== undefined;
  const hasMemory = mayRemember && (!options.isEphemeral || showsMemory);
  const memory = { frontEnd, model: models.model, redactor, isRemembering: !isModelless, onWarning, signal };
  return {
    directory,
    ...defined({ programModules: await programsOfRun(run, { ...given, onWarning }, hasMemory ? memory : undefined) }),
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
    onKey,
    // The questions of an agent that works for another one are asked in the session that called it.
    ...(parent === undefined ? defined({ questionsDirectory }) : { parent, sandbox: parent.sandbox }),
    ...(agents.length > 0 && { agents }),
    ...trustOf(directory),
    ...(parent === undefined && (await selfEditOf(run, frontEnd))),
    ...{ dataDirectory: data, redactor, toolHostCommand, environment },
    cwd: options.cwd,
    ...defined({ workspace: workspace?.path, toolNetwork, watchErrors, session }),
    ...(workspace?.isOwn === true && { isOwnFolder: true }),
    ...defined({ maxTurns: options.maxTurns, answersWithin: options.answersWithin }),
    ...defined({ additionalDirectories: options.additionalDirectories }),
    ephemeral: options.isEphemeral,
    ...callbacks,
  };
}

/** The redactor of the front end, which compiles the user's secrets once for all agents; else one for this run. */
function redactorOf(
  { redactor: given, environment, onSecrets }: FrontEnd,
  secrets: readonly string[] | undefined,
): Required<Pick<AgentOptions, "redactor" | "onKey">> {
  if (given !== undefined) return { redactor: given, onKey: (key) => onSecrets([key]) };
  const redactor = createRedactor({ environment, ...defined({ secrets }) });
  const onKey = (key: string): void => {
    redactor.learn([key]);
    onSecrets([key]);
  };
  return { redactor, onKey };
}

/** The agents that work for the agent of a run; their code is loaded only if there are any. */
async function subagents(run: PreparedRun, options: OpenOptions, models: RunModels): Promise<readonly Subagent[]> {
  if (run.directory.definition.agents === undefined) return [];
  const { subagentsOf } = await import("./open-subagents.ts");
  return subagentsOf({ run, options, models, open: openRun });
}

/** How the agent of a trusted run changes itself, if its settings allow it. A version of an added agent never changes. */
async function selfEditOf({ directory }: PreparedRun, frontEnd: FrontEnd): Promise<Pick<AgentOptions, "selfEdit">> {
  const { definition, manifest, source, path, realPath } = directory;
  const mode = definition.settings.self_edit;
  if (mode === undefined || manifest === undefined || source !== undefined) return {};
  if (isInstalled(realPath, frontEnd.environment)) return {};
  const selfEdit = await frontEnd.openSelfEditor?.({ path, mode, frontEnd });
  return selfEdit === undefined ? {} : { selfEdit };
}

interface RunMemoryOptions {
  readonly frontEnd: FrontEnd;
  readonly model: LanguageModel;
  readonly redactor: Redactor;
  readonly isRemembering: boolean;
  readonly onWarning: (message: string) => void;
  readonly signal: AbortSignal;
}

/** The program's own modules for a run: memory and hooks; undefined without any. A reload may switch hooks on. */
async function programsOfRun(
  run: PreparedRun,
  { onReload, callerHooks = [], onWarning }: OpenOptions & Pick<RunMemoryOptions, "onWarning">,
  memory: RunMemoryOptions | undefined,
): Promise<ProgramModules | undefined> {
  const { directory, data, folder } = run;
  const ofMemory = memory && (await memoryOfRun(run, memory));
  const mayHook = onReload !== undefined || callerHooks.length > 0 || directory.definition.settings.hooks !== undefined;
  if (!mayHook) return ofMemory;
  const { hookProgram, joined } = await hookPrograms();
  const ofHooks = hookProgram({ callers: callerHooks, dataDirectory: data, projectDir: folder, onWarning });
  return ofMemory === undefined ? ofHooks : joined([ofMemory, ofHooks]);
}

/** The memory of a run. */
async function memoryOfRun(
  { options, directory, data, settings }: PreparedRun,
  { frontEnd, redactor, ...memory }: RunMemoryOptions,
): Promise<ProgramModules> {
  const { programMemory } = await programMemories();
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

const hookPrograms = (): Promise<typeof import("../hooks/hook-program.ts")> => import("../hooks/hook-program.ts");

const programMemories = (): Promise<typeof import("../memory/program-memory.ts")> =>
  import("../memory/program-memory.ts");

/** Loads the code of parts that an agent or a session may have, which else are loaded with the first of them. */
export async function loadParts(): Promise<void> {
  await Promise.all([hookPrograms(), programMemories(), loadSessionCode()]);
}
