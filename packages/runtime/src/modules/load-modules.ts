import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { attempt, type Clock, DATA_FOLDERS, isRecord, lineText, sha256 } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { isInstalled, type TrustedImports, verifyImports, withoutQuery } from "@mdx-ai/sandbox/imports";
import type { AgentLog } from "../log/agent-log.ts";
import type { ProgramModule } from "../types/module.ts";
import {
  awaitHook,
  callHook,
  type DuringPrompt,
  type FailureReport,
  failureReport,
  type HookEnd,
  withinTime,
} from "./hook-calls.ts";
import { LiveModule } from "./live-module.ts";
import type { LoadedModules } from "./loaded-modules.ts";
import { type ModuleServices, moduleContext } from "./module-context.ts";
import { type CompleteModule, completeModule, describedName, moduleExport, sectionText } from "./module-contract.ts";
import { moduleHooks } from "./module-hooks.ts";
import { moduleSources } from "./module-tools.ts";

export interface LoadModulesOptions {
  /** Absolute. */
  readonly agentDir: string;
  /** The module files, relative to the agent directory, in loading order. */
  readonly paths: readonly string[];
  /** Modules of the runtime; they come first. */
  readonly builtin: readonly ProgramModule[];
  /** Names of the builtin and inline tools. Module tools cannot use them. */
  readonly takenNames: readonly string[];
  readonly services: ModuleServices;
  /** Runs the hooks as a part of the prompt, so that `services.prompt` can refuse a call from within one. */
  readonly duringPrompt?: DuringPrompt | undefined;
  /** The code that modules may import, checked before they are loaded. Default: any code. */
  readonly trusted?: TrustedImports | undefined;
  /** The running modules to replace. */
  readonly before?: LoadedModules | undefined;
  readonly clock: Clock;
  readonly log: Pick<AgentLog, "write">;
  /** Receives each failure once, as one line. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

interface Loading extends LoadModulesOptions {
  readonly report: FailureReport;
}

/**
 * Imports and initializes modules one after the other. Leaves out a module whose import or `initialize` fails or takes
 * over 10 s, logs and warns of every failure, and continues with the rest. Stops the modules `before`, but for those with `isKept`, once
 * all new ones are imported, and waits for that; if one of these cannot be imported, returns `before` unchanged. Never rejects.
 */
export async function loadModules(options: LoadModulesOptions): Promise<LoadedModules> {
  const loading: Loading = { ...options, report: failureReport(options) };
  const { before, builtin, paths } = options;
  before?.forget();
  const known = importedFiles();
  const modules = await importAll(loading);
  const isWhole = modules.length === builtin.length + paths.length;
  if (before && !isWhole) return before;
  await before?.stop();
  const initialized: LiveModule[] = [];
  for (const module of modules) {
    if (before?.live.includes(module) || (await initialize(module, loading)) === "done") initialized.push(module);
  }
  return combined({ modules, initialized, files: importedSince(known, loading.agentDir), isWhole }, loading);
}

interface Outcome {
  /** All whose `initialize` was called: one that failed or was late may have acquired resources, too. */
  readonly modules: readonly LiveModule[];
  readonly initialized: readonly LiveModule[];
  readonly files: FileHashes;
  readonly isWhole: boolean;
}

/** Combines modules and collects their tools. Never throws. */
function combined({ modules, initialized, files, isWhole }: Outcome, loading: Loading): LoadedModules {
  const { agentDir } = loading;
  const section = ({ location, module, report }: LiveModule): string | undefined =>
    callHook(`${location}: systemPrompt`, () => sectionText(module.systemPrompt()), report);
  const kept = modules.filter(({ program }) => program?.isKept);
  return {
    live: initialized,
    sources: moduleSources(initialized, loading),
    hooks: moduleHooks(initialized, loading),
    isCurrent: () => isWhole && areUnchanged(files),
    forget: () => forgetImports(files, agentDir),
    sections: () => initialized.flatMap((live) => (live.isRunning ? (section(live) ?? []) : [])),
    start: async () => {
      await Promise.all(initialized.filter(({ isRunning }) => isRunning).map((live) => live.start()));
    },
    send: (event, session) => {
      for (const live of initialized) live.send(event, session);
    },
    claim: (error) => {
      const live = moduleOf(error, modules, agentDir);
      live?.report(live.location, error);
      return live !== undefined;
    },
    stop: async () => {
      const ending = modules.filter((live) => !kept.includes(live));
      await Promise.all(ending.toReversed().map((live) => live.stop()));
    },
    release: async (others = []) => {
      const used = others.flatMap(({ live }) => live);
      await Promise.all(kept.filter((live) => !used.includes(live)).map((live) => live.stop()));
    },
    settled: async () => {},
  };
}

/** The first module whose file the stack of an error names. */
function moduleOf(error: unknown, modules: readonly LiveModule[], agentDir: string): LiveModule | undefined {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const names = ({ location }: LiveModule): readonly string[] =>
    [agentDir, realPathOrSame(agentDir)].map((folder) => join(folder, location));
  return modules.find((live) => live.isOfFile && names(live).some((file) => stack.includes(file)));
}

async function importAll(loading: Loading): Promise<readonly LiveModule[]> {
  const modules = loading.builtin.map(
    (module) => keptModule(module, loading) ?? liveModule(module, completeModule(module, "builtin"), loading),
  );
  if (loading.paths.length > 0 && !isAsTrusted(loading)) return modules;
  for (const path of loading.paths) {
    const module = await importOne(path, loading);
    if (module) modules.push(liveModule(path, module, loading));
  }
  return modules;
}

/** The running module that continues. */
const keptModule = (module: ProgramModule, { before }: Loading): LiveModule | undefined =>
  module.isKept ? before?.live.find(({ program, isRunning }) => program === module && isRunning) : undefined;

/** Whether the user trusts all code that the modules may import. If not, no module is loaded. */
function isAsTrusted({ report, trusted }: Loading): boolean {
  try {
    if (trusted !== undefined) verifyImports(trusted);
    return true;
  } catch (error) {
    report("modules", error);
    return false;
  }
}

async function importOne(path: string, { agentDir, clock, report }: Loading): Promise<CompleteModule | undefined> {
  try {
    return completeModule(moduleExport((await importFile(join(agentDir, path), clock)).default), nameOf(path));
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

async function importFile(path: string, clock: Clock): Promise<{ readonly default?: unknown }> {
  try {
    return await withinTime(import(pathToFileURL(path).href), clock);
  } catch (cause) {
    throw new ModuleImportError(cause);
  }
}

/** The first of several errors, with line and column for a syntax error. */
function importFailure(error: unknown): string {
  const first = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const position = isRecord(first) ? first["position"] : undefined;
  if (!isRecord(position) || !("line" in position && "column" in position)) return lineText(first);
  return `line ${position["line"]}, column ${position["column"]}: ${lineText(first)}`;
}

/** Named by `describe`; if that fails, after its file. One of the program has no path, and is located by its name. */
function liveModule(
  source: string | ProgramModule,
  module: CompleteModule,
  { clock, report }: Pick<Loading, "clock" | "report">,
): LiveModule {
  const [path, program] = typeof source === "string" ? [source, undefined] : [undefined, source];
  const described = callHook(`${path ?? "builtin"}: describe`, () => describedName(module.describe()), report);
  const name = described ?? nameOf(path ?? "builtin");
  const location = path ?? name;
  return new LiveModule({ location, name, key: nameOf(location), program, module, clock, report });
}

const nameOf = (path: string): string => basename(path, ".ts");

async function initialize(live: LiveModule, { services, clock, report }: Loading): Promise<HookEnd> {
  const context = moduleContext(services, live);
  const end = await awaitHook(`${live.location}: initialize`, () => live.module.initialize(context), { clock, report });
  if (end === "failed") await live.stop();
  return end;
}

/** Hashes of imported files by specifier: an absolute path, some with a query. */
type FileHashes = ReadonlyMap<string, string>;

/** The files that this process has imported. */
const importedFiles = (): ReadonlySet<string> => new Set(Object.keys(require.cache));

/** The files that an agent's modules have imported since then, without installed packages. */
function importedSince(before: ReadonlySet<string>, agentDir: string): FileHashes {
  const root = realPathOrSame(agentDir);
  const paths = [...importedFiles()].filter((path) => !before.has(path) && !isInstalled(root, path));
  return new Map(paths.map((path) => [path, hashOf(path)]));
}

const areUnchanged = (files: FileHashes): boolean => [...files].every(([path, hash]) => hashOf(path) === hash);

/**
 * Makes the next import read these files and all code below `folder` again: a file that failed to parse is cached as
 * broken but is not among the imported files. Never throws.
 */
function forgetImports(files: FileHashes, folder: string): void {
  for (const path of [...files.keys(), ...codeFiles(folder)]) delete require.cache[path];
}

/** Empty if the file cannot be read. */
const hashOf = (imported: string): string => attempt(() => sha256(readFileSync(withoutQuery(imported)))) ?? "";

/** Folders without agent code. */
const OTHER_FOLDERS: readonly string[] = ["node_modules", ...DATA_FOLDERS];

/** Empty if the folder cannot be read: nothing was imported from it. */
function codeFiles(folder: string): readonly string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return entry.name.startsWith(".") || OTHER_FOLDERS.includes(entry.name) ? [] : codeFiles(path);
    }
    return /\.([cm]?[jt]sx?|json)$/.test(entry.name) ? [path] : [];
  });
}
