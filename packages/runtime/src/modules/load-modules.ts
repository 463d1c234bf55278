import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AgentLog } from "../log/agent-log.ts";
import { lineText } from "../log/line-text.ts";
import { isRecord } from "../record.ts";
import type { Clock } from "../types/agent.ts";
import type { AgentModule, ModuleContext } from "../types/module.ts";
import {
  awaitHook,
  callHook,
  type DuringPrompt,
  type FailureReport,
  failureReport,
  type HookEnd,
  type TimeLimit,
  withinTime,
} from "./hook-call.ts";
import { type LoadedModules, loadedModules } from "./loaded-modules.ts";
import { completeModule, describedName, type LiveModule, missingMembers, moduleExport } from "./module-contract.ts";
import { importedFiles, importedSince } from "./module-files.ts";

const HOOK_MILLISECONDS = 10_000;

export interface LoadModulesOptions {
  /** Absolute. */
  readonly agentDir: string;
  /** Files of the modules, relative to the agent directory, in the order in which they are loaded. */
  readonly paths: readonly string[];
  /** Modules of the runtime; they come first. */
  readonly builtin: readonly AgentModule[];
  /** Names of the builtin and inline tools, which a module's tool cannot have. */
  readonly takenNames: readonly string[];
  /** The context of every module; log lines of a module begin with its name. */
  readonly context: ModuleContext;
  /** Runs the hooks around prompts and tool calls as a part of the prompt, which `context.prompt` may then refuse. */
  readonly duringPrompt?: DuringPrompt | undefined;
  /** Running modules that these replace. */
  readonly before?: LoadedModules | undefined;
  readonly clock: Clock;
  readonly log: Pick<AgentLog, "write">;
  /** Receives each failure once, as one line. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

interface Loading extends LoadModulesOptions {
  readonly limit: TimeLimit;
  readonly report: FailureReport;
}

/**
 * Imports and initializes modules one after the other. Leaves out a module whose import or `initialize` fails or takes
 * over 10 s, logs and warns of every failure, and continues with the rest. Stops the modules `before` once all new ones
 * are imported; if one of these cannot be imported, returns `before` unchanged. Never rejects.
 */
export async function loadModules(options: LoadModulesOptions): Promise<LoadedModules> {
  const limit = { clock: options.clock, milliseconds: HOOK_MILLISECONDS };
  const loading: Loading = { ...options, limit, report: failureReport(options) };
  const { before, builtin, paths } = options;
  before?.forget();
  const known = importedFiles();
  const modules = await importAll(loading);
  const isWhole = modules.length === builtin.length + paths.length;
  if (before && !isWhole) return before;
  before?.stop();
  const initialized: LiveModule[] = [];
  const toStop: LiveModule[] = [];
  for (const module of modules) {
    const end = await initialize(module, loading);
    if (end === "done") initialized.push(module);
    // A late one may still acquire something that it must release.
    if (end !== "failed") toStop.push(module);
  }
  const files = importedSince(known);
  return loadedModules({ ...loading, initialized, toStop, files, isWhole });
}

async function importAll(loading: Loading): Promise<readonly LiveModule[]> {
  const modules = loading.builtin.map((module) => {
    const live = liveModule("builtin", module, loading.report);
    return { ...live, location: live.name };
  });
  for (const path of loading.paths) {
    const module = await importOne(path, loading);
    if (module) modules.push(liveModule(path, module, loading.report));
  }
  return modules;
}

async function importOne(path: string, { agentDir, limit, report }: Loading): Promise<AgentModule | undefined> {
  try {
    const found = moduleExport((await importFile(join(agentDir, path), limit)).default);
    const missing = missingMembers(found);
    if (missing.length > 0) report(path, `the default export lacks ${missing.join(", ")}; continuing without them`);
    return completeModule(found);
  } catch (error) {
    report(path, error);
    return undefined;
  }
}

/** A module file cannot be imported: it does not parse, it throws, or one of its imports is missing. */
class ModuleImportError extends Error {
  override readonly name = "ModuleImportError";

  constructor(cause: unknown) {
    super(`cannot be imported: ${importFailure(cause)}`, { cause });
  }
}

async function importFile(path: string, limit: TimeLimit): Promise<{ readonly default?: unknown }> {
  try {
    return await withinTime(import(pathToFileURL(path).href), limit);
  } catch (cause) {
    throw new ModuleImportError(cause);
  }
}

/** The first of several mistakes; for code that does not parse, with its line and column. */
function importFailure(error: unknown): string {
  const first = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const position = isRecord(first) ? first["position"] : undefined;
  if (!isRecord(position) || !("line" in position && "column" in position)) return lineText(first);
  return `line ${position["line"]}, column ${position["column"]}: ${lineText(first)}`;
}

/** A module whose `describe` fails is named after its file. */
function liveModule(location: string, module: AgentModule, report: FailureReport): LiveModule {
  const run = (): string => describedName(module.describe());
  return {
    location,
    name: callHook({ location: `${location}: describe`, run }, report) ?? basename(location, ".ts"),
    module,
  };
}

function initialize({ location, name, module }: LiveModule, { context, limit, report }: Loading): Promise<HookEnd> {
  const own: ModuleContext = {
    agentDir: context.agentDir,
    prompt: (message) => context.prompt(message),
    log: (message) => context.log(`${name}: ${message}`),
  };
  return awaitHook({ location: `${location}: initialize`, run: () => module.initialize(own) }, limit, report);
}
