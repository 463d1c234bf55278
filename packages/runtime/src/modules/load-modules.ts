import { basename } from "node:path";
import type { AgentLog } from "../log/agent-log.ts";
import type { Clock } from "../types/agent.ts";
import type { AgentModule, ModuleContext } from "../types/module.ts";
import { type FailureReport, failureReport } from "./failure-report.ts";
import { describedName } from "./hook-answer.ts";
import { awaitHook, callHook, type HookEnd } from "./hook-call.ts";
import { importModule } from "./import-module.ts";
import type { LiveModule } from "./live-module.ts";
import { type LoadedModules, loadedModules } from "./loaded-modules.ts";
import { completeModule, missingMembers } from "./module-contract.ts";
import { importedFiles, importedSince } from "./module-files.ts";
import type { TimeLimit } from "./time-limit.ts";

const HOOK_MILLISECONDS = 10_000;

export interface LoadModulesOptions {
  /** Absolute. */
  readonly agentDir: string;
  /** Files of the modules, relative to the agent directory, in the order in which they are loaded. */
  readonly paths: readonly string[];
  /** Modules that the runtime brings; they come first. */
  readonly builtin: readonly AgentModule[];
  /** Names of the builtin and inline tools, which modules cannot take. */
  readonly takenNames: readonly string[];
  /** Handed to every module; what a module logs begins with its name. */
  readonly context: ModuleContext;
  /** Those that are at work and are to be replaced. */
  readonly before?: LoadedModules | undefined;
  readonly clock: Clock;
  readonly log: Pick<AgentLog, "write">;
  /** Told each failure once; one line. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

interface Loading extends LoadModulesOptions {
  readonly limit: TimeLimit;
  readonly report: FailureReport;
}

/**
 * Imports and initializes modules, one after the other. A module whose import or `initialize` fails, or takes over 10 s,
 * is left out; every failure is logged and warned of, and the rest goes on. Those that are replaced are stopped when all
 * others are imported; where one of those cannot be, they stay, and are given back. Never rejects.
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
    // One that is late may come to hold something yet.
    if (end !== "failed") toStop.push(module);
  }
  const files = importedSince(known);
  return loadedModules({ ...loading, initialized, toStop, files, isWhole });
}

async function importAll(loading: Loading): Promise<readonly LiveModule[]> {
  const modules = loading.builtin.map((module) => atItsName(liveModule("builtin", module, loading.report)));
  for (const path of loading.paths) {
    const module = await importOne(path, loading);
    if (module) modules.push(liveModule(path, module, loading.report));
  }
  return modules;
}

async function importOne(path: string, { agentDir, limit, report }: Loading): Promise<AgentModule | undefined> {
  try {
    const found = await importModule(agentDir, path, limit);
    const missing = missingMembers(found);
    if (missing.length > 0) report(path, `the default export lacks ${missing.join(", ")}; goes on without`);
    return completeModule(found);
  } catch (error) {
    report(path, error);
    return undefined;
  }
}

/** A module whose `describe` fails is named after its file. */
function liveModule(place: string, module: AgentModule, report: FailureReport): LiveModule {
  const name = callHook({ place: `${place}: describe`, run: () => describedName(module.describe()) }, report);
  return { place, name: name ?? basename(place, ".ts"), module };
}

const atItsName = (module: LiveModule): LiveModule => ({ ...module, place: module.name });

function initialize({ place, name, module }: LiveModule, { context, limit, report }: Loading): Promise<HookEnd> {
  const own: ModuleContext = {
    agentDir: context.agentDir,
    prompt: (message) => context.prompt(message),
    log: (message) => context.log(`${name}: ${message}`),
  };
  return awaitHook({ place: `${place}: initialize`, run: () => module.initialize(own) }, limit, report);
}
