import { createRedactor, systemClock } from "@mdx-ai/base";
import type { LanguageModel } from "@mdx-ai/models";
import type { AgentDirectory } from "@mdx-ai/parser";
import { type Agent, type AgentOptions, openAgent, type ProgramModules } from "@mdx-ai/runtime";
import { type ProgramMemoryOptions, programMemory } from "../memory/program-memory.ts";
import { openModels, openNoModel, type RunModels } from "../models/open-models.ts";
import { type RunPermissions, runPermissions } from "../settings/run-permissions.ts";
import { type Surroundings, warn } from "../surroundings.ts";
import { type TrustedDirectory, trustOf } from "../trust/trusted-directory.ts";
import { type AgentRun, workspaceOf } from "./agent-run.ts";

/**
 * The receivers of events and questions, the tools that the door adds, the stubs for those of agent.mdx, whether the heartbeat
 * runs, and whether prompts resume foreign ones.
 */
export type RunListeners = Pick<
  AgentOptions,
  | "onWarning"
  | "onLog"
  | "onBackgroundEvent"
  | "onApproval"
  | "refresh"
  | "wakes"
  | "connects"
  | "waitsForServers"
  | "onServerQuestion"
  | "onSignIn"
  | "resumesForeign"
  | "tools"
  | "toolStubs"
>;

export interface OpenRunOptions extends RunListeners {
  readonly surroundings: Surroundings;
  /** Replaces the models that flags and settings choose. */
  readonly model?: LanguageModel;
  /** No model will be called, so that no configuration is needed. */
  readonly isModelless?: boolean;
  /** An ephemeral run has no memory, but for one that shows what a model receives. */
  readonly showsMemory?: boolean;
  /** The result of `runPermissions`, if it was called already. */
  readonly permitted?: RunPermissions;
  /** When it fires, closing the agent waits for nothing that the next run can finish. */
  readonly signal?: AbortSignal;
}

/** Opens the models, then the agent. Rejects as `runPermissions`, `openModels` and `openAgent` do. */
export async function openRun(
  run: AgentRun,
  directory: AgentDirectory | TrustedDirectory,
  { surroundings, model, isModelless = false, showsMemory = false, permitted, signal, ...listeners }: OpenRunOptions,
): Promise<Agent> {
  const { environment, toolHostCommand, toolNetwork, ownsConsole = false } = surroundings;
  const { terminal: _, memory, ...permissions } = permitted ?? (await runPermissions(run, directory, surroundings));
  const chosen = (): Promise<RunModels> =>
    isModelless ? openNoModel(environment) : openModels(run, directory, surroundings);
  const { notices, ...models }: RunModels = model === undefined ? await chosen() : { model, notices: [] };
  for (const notice of notices) listeners.onWarning?.(notice);
  const { onWarning } = listeners;
  if (ownsConsole && onWarning !== undefined) divertConsole(onWarning);
  const workspace = workspaceOf(run, directory);
  const hasMemory = !run.isEphemeral || showsMemory;
  const programModules = !hasMemory
    ? undefined
    : memoryOfRun(run, directory, {
        ...{ surroundings, ofUser: memory, model: models.model, isRemembering: !isModelless, signal },
        secrets: models.secrets,
        onWarning: onWarning ?? warn(surroundings),
      });
  return openAgent({
    directory,
    ...(programModules && { programModules }),
    ...models,
    ...permissions,
    ...trustOf(directory),
    ...(run.data !== undefined && { dataDirectory: run.data }),
    cwd: run.cwd,
    ...(workspace !== undefined && { workspace }),
    toolHostCommand,
    ...(toolNetwork !== undefined && { toolNetwork }),
    environment,
    ephemeral: run.isEphemeral,
    ...(run.maxTurns !== undefined && { maxTurns: run.maxTurns }),
    ...(run.session !== undefined && { session: run.session }),
    ...listeners,
  });
}

interface RunMemoryOptions
  extends Pick<ProgramMemoryOptions, "ofUser" | "model" | "isRemembering" | "onWarning" | "signal"> {
  readonly surroundings: Surroundings;
  readonly secrets: AgentOptions["secrets"] | undefined;
}

/** The memory of a run: nothing of it is loaded unless the directory's settings switch it on. */
function memoryOfRun(
  run: AgentRun,
  directory: AgentDirectory | TrustedDirectory,
  { surroundings, secrets, ...options }: RunMemoryOptions,
): ProgramModules {
  const { environment } = surroundings;
  const redactor = createRedactor({ environment, ...(secrets && { secrets }) });
  return programMemory({
    ...{ ...options, environment, clock: systemClock },
    dataDirectory: run.data ?? directory.path,
    openModel: async (reference) => {
      const { model } = await openModels({ ...run, flags: { model: reference } }, directory, surroundings);
      return model;
    },
    redact: (text) => redactor.text(text),
  });
}

/**
 * Opens an agent for its tools alone: it needs no model, never wakes, and its warnings are the door's. Rejects as `openRun` does.
 */
export const openForTools = (
  run: AgentRun,
  directory: AgentDirectory | TrustedDirectory,
  surroundings: Surroundings,
  options: Pick<OpenRunOptions, "permitted" | "toolStubs" | "onServerQuestion" | "onSignIn" | "showsMemory"> = {},
): Promise<Agent> =>
  openRun(run, directory, {
    surroundings,
    onWarning: warn(surroundings),
    wakes: false,
    connects: false,
    isModelless: true,
    ...options,
  });

const PRINTING = ["log", "info", "debug", "warn", "error", "trace"] as const;

/** How the client of MCP servers begins what it prints. */
const OF_CLIENT = /^\[mcp-sdk\] /;

/**
 * From now on each call of `console` becomes one message. Modules and the client of MCP servers run in this process: what they print
 * must neither mix with an answer or with JSON on standard output, nor reach a terminal as it is.
 */
export function divertConsole(onMessage: (message: string) => void): void {
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
