import { resolve } from "node:path";
import { defined, isRecord, type JsonObject, lineText, Semaphore, untilAborted } from "@mdx-ai/base";
import { resolveRealPath } from "@mdx-ai/base/disk";
import { type AgentTool, errorResult, type ToolAccess, type ToolSource } from "@mdx-ai/loop";
import type { ChangingTools } from "../types/module.ts";
import { awaitHook, callDuringPrompt, callHook, type PromptCallOptions } from "./hook-calls.ts";
import type { LiveModule } from "./live-module.ts";
import { changingTools, kindOf, toolList } from "./module-contract.ts";
import { adaptedTool, argumentsMistake, isPiTool } from "./pi-tool.ts";

export interface ModuleToolsOptions extends PromptCallOptions {
  /** Names that modules cannot take. */
  readonly takenNames: readonly string[];
  /** Absolute. Relative paths of an access are resolved against it. */
  readonly agentDir: string;
}

/**
 * The tools of each module that can be offered to a model. Reports and leaves out anything that is not a tool,
 * and a tool whose name is in `takenNames` or belongs to an earlier module.
 */
export function moduleSources(modules: readonly LiveModule[], given: ModuleToolsOptions): readonly ToolSource[] {
  const options = { ...given, turns: new Semaphore() };
  const sources: ToolSource[] = [];
  for (const module of modules) {
    const earlier = [...sources];
    const isTaken = (name: string): boolean =>
      given.takenNames.includes(name) || earlier.some((source) => source.tools().some((tool) => tool.name === name));
    sources.push(moduleSource(module, { ...options, isTaken }));
  }
  return sources;
}

interface ReadingOptions extends ModuleToolsOptions {
  /** Shared by the tools that must not overlap. */
  readonly turns: Semaphore;
  /** Whether a module cannot use a name. */
  isTaken(name: string): boolean;
}

function moduleSource(live: LiveModule, options: ReadingOptions): ToolSource {
  const { location, module, name, program, report } = live;
  const given = callHook(`${location}: tools`, () => changingTools(module.tools()), report) ?? changingTools([]);
  const listeners = new Set<() => void>();
  let current: readonly AgentTool[] | undefined;
  callHook(
    `${location}: tools`,
    () =>
      given.onChange(() => {
        current = undefined;
        for (const listener of listeners) listener();
      }),
    report,
  );
  const source: ToolSource = {
    origin: program?.origin ?? `module:${name}`,
    ...defined({ skill: program?.skill }),
    ...(given.prepare && { prepare: (signal) => prepared(given, live, { ...options, signal }) }),
    tools: () => {
      current ??= program?.isKept
        ? given.tools().map((tool) => whileRunning(tool, live))
        : offeredTools(given, live, options);
      return current;
    },
    onChange: (changed) => void listeners.add(changed),
  };
  // Its mistakes are reported when it is loaded.
  source.tools();
  return source;
}

/** Never rejects. A module that is kept has limits of its own. */
async function prepared(
  given: ChangingTools,
  { location, report, isRunning, program }: LiveModule,
  { clock, signal }: Pick<PromptCallOptions, "clock"> & { readonly signal: AbortSignal },
): Promise<void> {
  if (!isRunning) return;
  const prepare = async (): Promise<void> => given.prepare?.(signal);
  if (program?.isKept) await prepare();
  else
    await untilAborted(
      () => awaitHook(`${location}: prepare`, prepare, { clock, report }),
      signal,
      () => "late",
    );
}

/** The same tool, whose calls fail once its module was stopped. The model keeps the same list of tools. */
const whileRunning = (tool: AgentTool, module: LiveModule): AgentTool => ({
  ...tool,
  execute: async (args, context) =>
    module.isRunning ? tool.execute(args, context) : errorResult(`not run: the module ${module.name} was stopped`),
});

function offeredTools(changing: ChangingTools, live: LiveModule, options: ReadingOptions): readonly AgentTool[] {
  const { location } = live;
  const { report, isTaken } = options;
  const given = callHook(`${location}: tools`, () => toolList(changing.tools()), report) ?? [];
  const tools = new Map<string, AgentTool>();
  for (const [index, value] of given.entries()) {
    const tool = callHook(`${location}: tools()[${index}]`, () => moduleTool(value, location, options), report);
    if (tool === undefined) continue;
    if (isTaken(tool.name) || tools.has(tool.name)) {
      report(`${location}: tools`, `left out ${JSON.stringify(tool.name)}, another tool has that name`);
    } else tools.set(tool.name, whileRunning(tool, live));
  }
  return [...tools.values()];
}

/** A value returned by `tools()` cannot be offered to a model as a tool. */
class ModuleToolError extends Error {
  override readonly name = "ModuleToolError";
}

/**
 * Copies a value returned by `tools()` into a plain object, so that later changes do not reach the model.
 * Throws `ModuleToolError` if it is invalid, or the error of a getter.
 */
function moduleTool(value: unknown, file: string, options: ReadingOptions): AgentTool {
  if (!isAgentTool(value)) throw new ModuleToolError(mistake(value) ?? "");
  const { name, description, parameters, readOnly, idempotent, permission } = value;
  const foreign = isPiTool(value) ? adaptedTool(value, options.turns) : undefined;
  const declare: unknown = Reflect.get(value, "access");
  const isDeclared = typeof declare === "function";
  const accessOf = (args: JsonObject): unknown => isDeclared && Reflect.apply(declare, value, [args]);
  const access = async (args: JsonObject): Promise<ToolAccess> =>
    declaredAccess(await calledAccess(() => accessOf(args), options), `${file}: ${name}: access`, options);
  return {
    ...{ name, description, parameters },
    ...(readOnly !== undefined && { readOnly }),
    ...(idempotent !== undefined && { idempotent }),
    ...(permission !== undefined && { permission }),
    ...(isDeclared && { access }),
    execute: (args, context) => value.execute(args, context),
    ...foreign,
  };
}

/** Calls a tool's `access` function. Rejects with `ModuleToolError` when it throws or takes too long. */
async function calledAccess(declare: () => unknown, options: ModuleToolsOptions): Promise<unknown> {
  try {
    return await callDuringPrompt(declare, options);
  } catch (cause) {
    throw new ModuleToolError(lineText(cause), { cause });
  }
}

/** Narrows what `access` returned and resolves its path. An invalid shape is reported and counts as unknown. */
function declaredAccess(value: unknown, location: string, { agentDir, report }: ModuleToolsOptions): ToolAccess {
  const { kind, path, command, host } = isRecord(value) ? value : {};
  if ((kind === "read" || kind === "write") && typeof path === "string" && path !== "") {
    return { kind, path: resolveRealPath(resolve(agentDir, path)) };
  }
  if (kind === "command" && typeof command === "string") return { kind, command };
  if (kind === "host" && typeof host === "string") return { kind, host };
  if (kind !== "call")
    report(location, `returned ${kindOf(value)}, which is not an access; the access counts as unknown`);
  return { kind: "call" };
}

const isAgentTool = (value: unknown): value is AgentTool => mistake(value) === undefined;

function mistake(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return `unexpected ${kindOf(value)}, expected a tool`;
  const names = ["name", "description", "parameters", "execute"];
  const [name, description, parameters, execute] = names.map((member): unknown => Reflect.get(value, member));
  if (typeof name !== "string" || name.trim() === "") return `unexpected name (${kindOf(name)}), expected a text`;
  if (typeof description !== "string") return `unexpected description (${kindOf(description)}), expected a text`;
  if (typeof execute !== "function") return `unexpected execute (${kindOf(execute)}), expected a function`;
  const declare: unknown = Reflect.get(value, "access");
  if (declare !== undefined && typeof declare !== "function")
    return `unexpected access (${kindOf(declare)}), expected a function`;
  return argumentsMistake(value) ?? flagMistake(value) ?? schemaMistake(parameters);
}

/** A problem in a tool's description of its calls; undefined if there is none. */
function flagMistake(tool: object): string | undefined {
  for (const name of ["readOnly", "idempotent"] as const) {
    const flag: unknown = Reflect.get(tool, name);
    if (flag !== undefined && typeof flag !== "boolean")
      return `unexpected ${name} (${kindOf(flag)}), expected true or false`;
  }
  const permission: unknown = Reflect.get(tool, "permission");
  if (permission === undefined || PERMISSION_ACTIONS.includes(permission)) return undefined;
  return `unexpected permission (${kindOf(permission)}), expected "allow", "ask" or "deny"`;
}

const PERMISSION_ACTIONS: readonly unknown[] = ["allow", "ask", "deny"];

/** One bad schema would make a provider refuse every request of the agent. */
function schemaMistake(schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null || !("type" in schema) || schema.type !== "object") {
    return 'unexpected parameters, expected a JSON Schema with type "object"';
  }
  const path = pathOutsideJson(schema, "parameters", []);
  return path === undefined ? undefined : `unexpected value at ${path}, expected plain JSON`;
}

/** The path of the first value that JSON cannot represent. Undefined members are ignored. */
export function pathOutsideJson(value: unknown, path: string, parents: readonly object[]): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : path;
  if (typeof value !== "object" || parents.includes(value)) return path;
  for (const [key, member] of Object.entries(value)) {
    const found = member === undefined ? undefined : pathOutsideJson(member, `${path}.${key}`, [...parents, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}
