import { isJsonObject, isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";
import type { McpConnection } from "@mdx-ai/mcp";
import { cutText } from "../limits.ts";
import { MemoryStoreError, type MemoryStoreProblem } from "../memory-store-error.ts";

/** The part of a connection that the store uses. */
export type MemoryConnection = Pick<McpConnection, "name" | "state" | "tools" | "connect" | "call" | "close">;

/** Calls the tools of a memory service and fits the arguments to their schemas. */
export class RemoteCalls {
  readonly #connection: MemoryConnection;
  readonly #signal: AbortSignal;

  constructor(connection: MemoryConnection, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  /** Resolves to the answer's text. Rejects with `MemoryStoreError`. */
  async call(name: string, given: GivenArguments): Promise<string> {
    const tool = await this.#tool(name);
    const args = toolArguments(tool, given);
    const missing = missingArguments(tool, args);
    if (missing.length > 0)
      throw this.#error("invalid", `its tool ${name} requires ${missing.join(", ")}, which this program does not know`);
    const { content, isError } = await this.#connection.call(name, args, { signal: this.#signal }).catch((cause) => {
      throw this.#error("unavailable", reasonOf(cause), cause);
    });
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    if (isError) throw this.#error(problemOf(text), text.replaceAll(/\s+/g, " ").trim());
    return text;
  }

  /** Whether a tool of the service takes an argument. Rejects with `MemoryStoreError`. */
  async takes(name: string, argument: string): Promise<boolean> {
    return takes(await this.#tool(name), argument);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #tool(name: string): Promise<ListedTool> {
    await this.#connection.connect(this.#signal);
    const { state, tools } = this.#connection;
    if (state.type === "failed") throw this.#error("unavailable", state.reason);
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw this.#error("unavailable", `it has no tool ${name}`);
    return tool;
  }

  #error(problem: MemoryStoreProblem, reason: string, cause?: unknown): MemoryStoreError {
    return new MemoryStoreError(problem, `the memory service ${this.#connection.name}: ${reason}`, { cause });
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Classifies a refusal of the service by its text, since there are no codes. */
function problemOf(text: string): MemoryStoreProblem {
  if (/\bnot found\b/i.test(text))
    return /\bvault\b[^:]*\bnot found\b/i.test(text) ? "unknown_vault" : "unknown_memory";
  if (/already exists|duplicate|conflict/i.test(text)) return "exists";
  return /invalid|required|must|too long|at most/i.test(text) ? "invalid" : "unavailable";
}

/** A tool of `tools/list`. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** Arguments with this program's names; undefined values are not sent. */
export type GivenArguments = Readonly<Record<string, JsonValue | undefined>>;

/** The names of an argument in different versions of the service, newest first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  top_k: ["top_ke", "top_k", "limit"],
  conversation_time: ["conversation_time", "created_at"],
};

/**
 * Converts arguments to the names, types and limits of a tool's schema. Drops arguments that the tool does not have. A schema without
 * properties accepts all unchanged.
 */
function toolArguments({ inputSchema }: ListedTool, given: GivenArguments): JsonObject {
  const { properties } = inputSchema;
  const known = isRecord(properties) ? properties : undefined;
  const entries = Object.entries(given).flatMap(([name, value]): [string, JsonValue][] => {
    if (value === undefined) return [];
    const sent = known === undefined ? name : sentName(name, known);
    return sent === undefined ? [] : [[sent, fitted(value, known?.[sent])]];
  });
  return Object.fromEntries(entries);
}

/** Whether a tool takes an argument. */
function takes({ inputSchema }: ListedTool, name: string): boolean {
  const { properties } = inputSchema;
  return isRecord(properties) && sentName(name, properties) !== undefined;
}

/** Required arguments that are missing. */
function missingArguments({ inputSchema }: ListedTool, args: JsonObject): readonly string[] {
  const { required } = inputSchema;
  if (!Array.isArray(required)) return [];
  return required.flatMap((name) => (typeof name === "string" && !Object.hasOwn(args, name) ? [name] : []));
}

const sentName = (name: string, known: Readonly<Record<string, unknown>>): string | undefined =>
  (NAMES[name] ?? [name]).find((one) => Object.hasOwn(known, one));

function fitted(value: JsonValue, schema: unknown): JsonValue {
  const { type, maxLength, minimum, maximum } = isRecord(schema) ? schema : {};
  const isTyped = (name: string): boolean => type === name || (Array.isArray(type) && type.includes(name));
  if (typeof value === "number") {
    const within = Math.min(Math.max(value, numberOr(minimum, value)), numberOr(maximum, value));
    return isTyped("string") ? String(within) : within;
  }
  if (typeof value === "string") return cutText(value, numberOr(maxLength, Number.POSITIVE_INFINITY));
  if (!isJsonObject(value)) return value;
  return isTyped("string")
    ? cutText(JSON.stringify(value), numberOr(maxLength, Number.POSITIVE_INFINITY))
    : fittedMap(value, schema);
}

/** Tags, cut to the allowed number and length. */
function fittedMap(value: JsonObject, schema: unknown): JsonObject {
  const { additionalProperties, maxProperties } = isRecord(schema) ? schema : {};
  const entries = Object.entries(value).slice(0, numberOr(maxProperties, Number.POSITIVE_INFINITY));
  return Object.fromEntries(
    entries.flatMap(([name, inner]) => (inner === undefined ? [] : [[name, fitted(inner, additionalProperties)]])),
  );
}

const numberOr = (value: unknown, other: number): number => (typeof value === "number" ? value : other);
