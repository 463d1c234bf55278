import { isRecord, type JsonObject, jsonValue } from "@mdx-ai/base";
import {
  type AgentTool,
  finishedResult,
  headOf,
  type ToolAccess,
  type ToolContext,
  type ToolLabel,
  type ToolOrigin,
  type ToolRegistry,
  type ToolSource,
} from "@mdx-ai/loop";
import type { ToolCall, ToolSchema } from "@mdx-ai/models";
import { isReplaceable, wireNames } from "@mdx-ai/parser";
import { type ArgumentsCheck, argumentsCheck } from "./arguments/arguments-check.ts";
import { runTool } from "./execute-tool.ts";
import type { CallableTool } from "./tool-names.ts";
import type { SearchedTools, ToolSearch } from "./tool-search.ts";

/** The context of all tool calls. */
export type CommonToolContext = Pick<ToolContext, "agentDir" | "cwd" | "log">;

const UNKNOWN_ACCESS: ToolAccess = { kind: "call" };

/** A tool as the registry keeps it. */
interface Entry extends CallableTool {
  /** Created at the first call: a request needs no check. */
  readonly check: ArgumentsCheck;
}

function entryOf(tool: AgentTool, wire: string): Entry {
  let check: ArgumentsCheck | undefined;
  return {
    ...{ wire, tool },
    get check() {
      check ??= argumentsCheck(tool, wire);
      return check;
    },
  };
}

/**
 * The registry of tools with unique names; a model sees them in this order. It finds and calls those that `isDeferred` by two more
 * tools.
 */
export function toolRegistry(
  given: readonly AgentTool[],
  common: CommonToolContext,
  originOf: (tool: AgentTool) => ToolOrigin = () => "builtin",
  isDeferred: (tool: AgentTool) => boolean = () => false,
): ToolRegistry {
  const deferred = given.filter(isDeferred);
  const searching = searchOf({
    origins: deferred.map(originOf),
    schemas: () => deferred.map(schemaOf),
    isTaken: (name) => given.some((tool) => tool.name === name),
  });
  const tools = searching === undefined ? given : [...given, searching.search, searching.use];
  const wire = wireNames(tools.map((tool) => tool.name));
  const wireName = (tool: AgentTool): string => wire.get(tool.name) ?? tool.name;
  const entries = new Map<string, Entry>(tools.map((tool) => [wireName(tool), entryOf(tool, wireName(tool))]));
  const argumentsOf = (call: ToolCall): JsonObject =>
    entries.get(call.name)?.check.filled(call.arguments) ?? call.arguments;
  const asksBeside = (tool: CallableTool["tool"]): boolean =>
    tool.server !== undefined || originOf(tool).startsWith("agent:");
  const accesses = new WeakMap<ToolCall, Promise<ToolAccess>>();
  const accessOf = (call: ToolCall, cwd = common.cwd): Promise<ToolAccess> => {
    const known = accesses.get(call);
    if (known) return known;
    const place = { agentDir: common.agentDir, cwd };
    const access = entries.get(call.name)?.tool.access?.(argumentsOf(call), place) ?? Promise.resolve(UNKNOWN_ACCESS);
    accesses.set(call, access);
    return access;
  };
  const schemaOf = (tool: AgentTool): ToolSchema => ({
    name: wireName(tool),
    description: tool.description,
    parameters: tool.parameters,
  });
  return {
    schemas: tools.filter((tool) => !isDeferred(tool)).map(schemaOf),
    planned: tools.map((tool) => ({
      wire: wireName(tool),
      name: tool.name,
      origin: originOf(tool),
      ...((tool.readOnly ?? tool.effects === "reads") && { readOnly: true }),
      ...(tool.idempotent && { idempotent: true }),
      ...(tool.effects && { effects: tool.effects }),
    })),
    labelOf: (call) => labelOf(call, entries.get(call.name)?.tool),
    nameOf: (name) => entries.get(name)?.tool.name ?? name,
    accessOf,
    permissionOf: (name) => entries.get(name)?.tool.permission ?? "allow",
    foreignOf: (name) => {
      const { server, fingerprint } = entries.get(name)?.tool ?? {};
      return server === undefined || fingerprint === undefined ? undefined : { server, fingerprint };
    },
    understood: async (call) => {
      if (searching === undefined) return understoodCall(call, entries);
      const isUse = (await entryFor(call.name, entries))?.tool === searching.use;
      const used = isUse ? await searching.usedCall(call) : undefined;
      if (used === undefined) return understoodCall(call, entries);
      const meant = (await entryFor(used.name, entries))?.tool;
      const isKnown = meant !== undefined && meant !== searching.use && meant !== searching.search;
      return understoodCall(isKnown ? used : call, entries);
    },
    ...(searching !== undefined && {
      sent: (call: ToolCall) => {
        const tool = entries.get(call.name)?.tool;
        return tool !== undefined && isDeferred(tool) ? searching.callOf(call, wireName(searching.use)) : call;
      },
    }),
    refusal: (call) => {
      const entry = entries.get(call.name);
      if (!entry)
        return unknownTool(
          call.name,
          [...entries.values()].filter(({ tool }) => !isDeferred(tool)),
        );
      if (call.malformed !== undefined) return malformedText(call.malformed);
      return entry.check.refusal(call.arguments);
    },
    argumentsOf,
    run: async (call, { session, cwd, grants, keeper, asking, signal, onUpdate }) => {
      const entry = entries.get(call.name);
      if (!entry) throw new Error(`the call of ${call.name} should have been refused`);
      const access = await accesses.get(call)?.catch(() => undefined);
      let running = true;
      const update: ToolContext["update"] = (partial) => {
        if (running) onUpdate(finishedResult(partial, entry.tool.outputLimit));
      };
      const outcome = await runTool(entry.tool, argumentsOf(call), {
        ...common,
        ...(cwd !== undefined && { cwd }),
        ...(grants && { grants }),
        ...(keeper && { keeper }),
        ...(asking && asksBeside(entry.tool) && { asking }),
        sessionId: session,
        callId: call.id,
        ...(access && { access }),
        signal,
        update,
      });
      running = false;
      return outcome;
    },
  };
}

/** Loaded only where tools are deferred; a snapshot of tools cannot wait for it. */
function searchOf(searched: SearchedTools): ToolSearch | undefined {
  if (searched.origins.length === 0) return undefined;
  const { toolSearch }: typeof import("./tool-search.ts") = require("./tool-search.ts");
  return toolSearch(searched);
}

/** The label of a call with all required arguments and no unknown ones. */
function labelOf({ arguments: args }: ToolCall, tool: AgentTool | undefined): ToolLabel | undefined {
  const { required = [], properties = {} } = tool?.parameters ?? {};
  const fits =
    Array.isArray(required) &&
    required.every((name) => typeof name === "string" && name in args) &&
    Object.keys(args).every((name) => isRecord(properties) && Object.hasOwn(properties, name));
  return fits ? tool?.label : undefined;
}

/** A call with the exact name of its tool and corrected arguments; the same call if nothing changes. */
async function understoodCall(call: ToolCall, entries: ReadonlyMap<string, Entry>): Promise<ToolCall> {
  const entry = await entryFor(call.name, entries);
  if (entry === undefined) return call;
  const { malformed, ...rest } = call;
  const read = malformed === undefined ? call.arguments : await readMalformed(malformed);
  if (read === undefined) return call.name === entry.wire ? call : { ...call, name: entry.wire };
  const args = await entry.check.understood(read);
  const isSame = args === call.arguments && call.name === entry.wire && malformed === undefined;
  return isSame ? call : { ...rest, name: entry.wire, arguments: args };
}

/** The entry with a name, else the only one that the name can mean. */
const entryFor = async (name: string, entries: ReadonlyMap<string, Entry>): Promise<Entry | undefined> =>
  entries.get(name) ?? (await onlyMeant(name, entries));

async function onlyMeant(name: string, entries: ReadonlyMap<string, Entry>): Promise<Entry | undefined> {
  const { toolsMeant } = await import("./tool-names.ts");
  const [only, ...others] = toolsMeant(name, [...entries.values()]);
  return only === undefined || others.length > 0 ? undefined : entries.get(only.wire);
}

async function readMalformed(text: string): Promise<JsonObject | undefined> {
  const { readArguments } = await import("./arguments/understood-arguments.ts");
  return readArguments(text);
}

/** The error for arguments that cannot be used. */
const malformedText = (text: string): string =>
  `the arguments are ${isRecord(jsonValue(text)) ? "nested too deeply, or have a number that is too large" : "not a JSON object"}: ${headOf(text, 200)}`;

/** The error for a name without a tool. A refusal cannot wait for the module, which most prompts do not need. */
function unknownTool(name: string, entries: readonly Entry[]): string {
  const { unknownToolText }: typeof import("./tool-names.ts") = require("./tool-names.ts");
  return unknownToolText(name, entries);
}

/** The tools that an agent's sources offer. */
export interface ToolSnapshot {
  /** In the order of the sources. For tools of the same name the first wins, but a replaceable builtin gives way. */
  readonly tools: readonly AgentTool[];
  readonly registry: ToolRegistry;
  originOf(tool: AgentTool): ToolOrigin;
}

/** The common part of all sources. */
interface SourceOptions extends CommonToolContext {
  /** A tool is ignored because another source has one of the same name. */
  readonly onTaken?: (name: string, by: ToolOrigin, origin: ToolOrigin) => void;
}

const NO_SKILLS: ReadonlySet<string> = new Set();

const isOffered = ({ skill }: ToolSource, disabled: ReadonlySet<string>): boolean =>
  skill === undefined || !disabled.has(skill);

/** The tools of an agent, from all its sources, behind one interface. */
export class ToolSources {
  readonly #sources: readonly ToolSource[];
  readonly #options: SourceOptions;
  #room = Number.POSITIVE_INFINITY;
  /** The names of the skills whose tools are left out. */
  readonly #snapshots = new Map<string, ToolSnapshot>();

  constructor(sources: readonly ToolSource[], common: SourceOptions) {
    this.#sources = sources;
    this.#options = common;
    for (const source of sources) source.onChange?.(() => this.#forget());
  }

  /** The current tools of the sources, without disabled skills. The same object until one of them changes. */
  snapshot(disabled: ReadonlySet<string> = NO_SKILLS): ToolSnapshot {
    const key = JSON.stringify([...disabled].sort());
    const snapshot = this.#snapshots.get(key) ?? this.#take(disabled);
    this.#snapshots.set(key, snapshot);
    return snapshot;
  }

  /** Prepares the sources in parallel, except for disabled skills. Never rejects. */
  async prepare(disabled: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const needed = this.#sources.filter((source) => source.prepare && isOffered(source, disabled));
    if (needed.length > 0) await Promise.allSettled(needed.map(async (source) => source.prepare?.(signal)));
  }

  /**
   * A model has to look for the tools of MCP servers and skills if their schemas together have more than this many bytes: either for all of them
   * or for none, so that one more tool changes no other. Default: no limit.
   */
  deferBeyond(bytes: number): void {
    if (bytes === this.#room) return;
    this.#room = bytes;
    // Without such tools a snapshot stays the same.
    for (const [key, { tools, originOf }] of this.#snapshots) {
      if (tools.some((tool) => isAdded(originOf(tool)))) this.#snapshots.delete(key);
    }
  }

  /** The current tools of a skill, even if no session uses it. */
  toolsOfSkill(skill: string): readonly AgentTool[] {
    return this.#sources.flatMap((source) => (source.skill === skill ? source.tools() : []));
  }

  /** The same with more sources appended. */
  with(sources: readonly ToolSource[]): ToolSources {
    const all = new ToolSources([...this.#sources, ...sources], this.#options);
    all.deferBeyond(this.#room);
    return all;
  }

  #forget(): void {
    this.#snapshots.clear();
  }

  #take(disabled: ReadonlySet<string>): ToolSnapshot {
    const tools = new Map<string, AgentTool>();
    const origins = new Map<AgentTool, ToolOrigin>();
    for (const source of this.#sources.filter((one) => isOffered(one, disabled))) {
      for (const tool of source.tools()) {
        const earlier = tools.get(tool.name);
        if (earlier && !(isReplaceable(tool.name) && origins.get(earlier) === "builtin")) {
          this.#options.onTaken?.(tool.name, origins.get(earlier) ?? "builtin", source.origin);
          continue;
        }
        tools.delete(tool.name);
        tools.set(tool.name, tool);
        origins.set(tool, source.origin);
      }
    }
    const offered = [...tools.values()];
    const originOf = (tool: AgentTool): ToolOrigin => origins.get(tool) ?? "builtin";
    const deferred = this.#deferred(offered.filter((tool) => isAdded(originOf(tool))));
    const registry = toolRegistry(offered, this.#options, originOf, (tool) => deferred.has(tool));
    return { tools: offered, registry, originOf };
  }

  #deferred(added: readonly AgentTool[]): ReadonlySet<AgentTool> {
    if (this.#room === Number.POSITIVE_INFINITY || added.length === 0) return NONE;
    return added.reduce((sum, tool) => sum + sizeOf(tool), 0) > this.#room ? new Set(added) : NONE;
  }
}

const NONE: ReadonlySet<AgentTool> = new Set();

const isAdded = (origin: ToolOrigin): boolean => origin.startsWith("mcp:") || origin.startsWith("skill:");

const sizeOf = ({ name, description, parameters }: AgentTool): number =>
  Buffer.byteLength(JSON.stringify({ name, description, parameters }));
