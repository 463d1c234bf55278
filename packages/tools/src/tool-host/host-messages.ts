import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";
import { type BoundedResult, isContent, type ToolStubs } from "@mdx-ai/loop";
import type { ToolCode } from "@mdx-ai/parser";

/** The messages of an agent to a tool host process. Each `id` is answered at most once. */
export type HostRequest =
  | {
      readonly type: "call";
      readonly id: number;
      readonly args: JsonObject;
      readonly cwd: string;
      readonly sessionId: string;
      readonly callId: string;
      readonly tool: HostedTool;
    }
  | { readonly type: "render"; readonly id: number; readonly file: AgentFile; readonly program: string }
  | { readonly type: "abort"; readonly id: number };

/** The only message of an agent to a python3 process. */
export interface FunctionRequest {
  readonly type: "function";
  readonly id: number;
  readonly args: JsonObject;
  readonly cwd: string;
  readonly called: CalledFunction;
}

/** A function of a Python module. The folders of the module and of the agent are absolute and real. */
interface CalledFunction {
  readonly folder: string;
  readonly root: string;
  readonly module: string;
  readonly function: string;
}

/** The file whose code runs. Both paths are absolute. */
export interface AgentFile {
  readonly agentDir: string;
  readonly path: string;
}

/** The code of a tool, the same in all calls of one process. */
export interface HostedTool {
  readonly file: AgentFile;
  readonly code: ToolCode;
  /** SHA-256 of code of the agent directory that it may import, by real paths. */
  readonly hashes?: Readonly<Record<string, string>>;
  /** Replacements for the network and the clock. */
  readonly stubs?: ToolStubs;
}

/** The messages of a tool host process. After `final` and `unfit` it takes no other request. */
export type HostReply =
  | { readonly type: "answer"; readonly id: number; readonly result: BoundedResult; readonly final: boolean }
  | { readonly type: "begun"; readonly id: number }
  | { readonly type: "log"; readonly id: number; readonly line: string }
  | { readonly type: "update"; readonly id: number; readonly partial: BoundedResult }
  | { readonly type: "unfit"; readonly reason: string };

/** The most characters of one log message. */
export const LOG_LENGTH = 8_000;

/** The minimum interval between two partial results of a call, in milliseconds. */
export const UPDATE_MILLISECONDS = 50;

/** Whether a message is a request. It comes from the runtime, so checking its type is enough. */
export function isHostRequest(value: unknown): value is HostRequest {
  return isRecord(value) && (value["type"] === "call" || value["type"] === "render" || value["type"] === "abort");
}

/** Whether a message is a reply. It comes from a process that runs untrusted code, so all of it is checked. */
export function isHostReply(value: unknown): value is HostReply {
  if (!isRecord(value)) return false;
  switch (value["type"]) {
    case "answer":
      return typeof value["id"] === "number" && isBoundedResult(value["result"]) && typeof value["final"] === "boolean";
    case "begun":
      return typeof value["id"] === "number";
    case "log":
      return typeof value["id"] === "number" && typeof value["line"] === "string";
    case "update":
      return typeof value["id"] === "number" && isBoundedResult(value["partial"]);
    case "unfit":
      return typeof value["reason"] === "string";
    default:
      return false;
  }
}

function isBoundedResult(value: unknown): value is BoundedResult {
  if (!isRecord(value) || !Array.isArray(value["content"]) || !value["content"].every(isContent)) return false;
  const { isError, dropped, details } = value;
  return (
    (isError === undefined || typeof isError === "boolean") &&
    (dropped === undefined || typeof dropped === "number") &&
    (details === undefined || isJsonValue(details))
  );
}

function isJsonValue(value: unknown): value is JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJsonValue);
  return isRecord(value) && Object.values(value).every(isJsonValue);
}
