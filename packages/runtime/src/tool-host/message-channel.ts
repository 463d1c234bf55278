import type { JsonObject, JsonValue } from "@mdx-ai/models";
import type { ToolCode } from "@mdx-ai/parser";
import { isRecord } from "../record.ts";
import { type BoundedResult, isContent } from "../tools/tool-result.ts";

declare module "bun" {
  // Bun.connect takes a descriptor too; its types lack that.
  function connect<Data = undefined>(options: FdSocketOptions<Data>): Promise<Socket<Data>>;
}

/** The variable that holds the number of the descriptor by which a tool host process reaches its agent. */
export const TOOL_CHANNEL = "MDX_AI_TOOL_CHANNEL";

const NEWLINE = 10;

/** Bytes that a message from a tool host process may have: more than the largest result with its images. */
const MESSAGE_LIMIT = 32 * 2 ** 20;

/** Why a channel ended: the other end closed it, sent more than a message may have, or sent what is no message. */
export type ChannelEnd = "closed" | "flooded" | "broken";

export interface ChannelOptions {
  /** Of a connected socket; the channel closes it. */
  readonly descriptor: number;
  /** Whether the channel keeps this process alive. */
  readonly keepsAlive: boolean;
  readonly onMessage: (message: unknown) => void;
  /** Called once. Nothing is sent or received afterwards. */
  readonly onEnd: (end: ChannelEnd) => void;
}

// Kept, since the code of a tool may replace them.
const { parse, stringify } = JSON;
const encoder = new TextEncoder();

/**
 * One end of the channel between an agent and a tool host process: JSON, one message a line. What has arrived of an
 * unfinished message is counted, so that the other end cannot fill the memory of this process.
 */
export class MessageChannel {
  readonly #options: ChannelOptions;
  #socket: Bun.Socket | undefined;
  /** What has arrived of the next message. */
  #pieces: Uint8Array[] = [];
  #arrived = 0;
  /** What the socket has not taken yet. */
  #unsent: Uint8Array[] = [];
  #hasEnded = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    void this.#connect();
  }

  /** Does nothing once the channel has ended. Throws if the message is not JSON. */
  send(message: object): void {
    this.#unsent.push(encoder.encode(`${stringify(message)}\n`));
    if (this.#unsent.length === 1) this.#flush();
  }

  /** Calls `onEnd` with the reason, unless the channel has ended already. */
  close(end: ChannelEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#pieces = [];
    this.#unsent = [];
    this.#socket?.terminate();
    this.#options.onEnd(end);
  }

  async #connect(): Promise<void> {
    const close = (): void => this.close("closed");
    const socket = {
      open: (opened: Bun.Socket) => this.#open(opened),
      data: (_socket: Bun.Socket, bytes: Uint8Array) => this.#receive(bytes),
      drain: () => this.#flush(),
      ...{ end: close, close, error: close },
    };
    try {
      await Bun.connect({ fd: this.#options.descriptor, socket });
    } catch {
      this.close("closed");
    }
  }

  #open(socket: Bun.Socket): void {
    this.#socket = socket;
    if (!this.#options.keepsAlive) socket.unref();
    this.#flush();
  }

  #flush(): void {
    for (let next = this.#unsent[0]; next && this.#socket && !this.#hasEnded; next = this.#unsent[0]) {
      const written = this.#socket.write(next);
      if (written < next.length) {
        this.#unsent[0] = next.subarray(Math.max(0, written));
        return;
      }
      this.#unsent.shift();
    }
  }

  #receive(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#pieces.push(bytes.subarray(start, end));
      start = end + 1;
      if (!this.#deliver()) return;
    }
    this.#pieces.push(bytes.subarray(start));
    this.#arrived += bytes.length - start;
    if (this.#arrived > MESSAGE_LIMIT) this.close("flooded");
  }

  /** Whether what has arrived was a message. */
  #deliver(): boolean {
    const line = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#arrived = 0;
    let message: unknown;
    try {
      message = parse(line);
    } catch {
      this.close("broken");
      return false;
    }
    this.#options.onMessage(message);
    return !this.#hasEnded;
  }
}

/** What an agent sends to a tool host process. Each `id` is answered at most once. */
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

/** The file whose code runs. Both paths are absolute. */
export interface AgentFile {
  readonly agentDir: string;
  readonly path: string;
}

/** The code of a tool; all calls of one process carry the same. */
export interface HostedTool {
  readonly file: AgentFile;
  readonly code: ToolCode;
}

/** What a tool host process sends. After `final` and `unfit` it takes no other request. */
export type HostReply =
  | { readonly type: "answer"; readonly id: number; readonly result: BoundedResult; readonly final: boolean }
  | { readonly type: "begun"; readonly id: number }
  | { readonly type: "log"; readonly id: number; readonly line: string }
  | { readonly type: "update"; readonly id: number; readonly partial: BoundedResult }
  | { readonly type: "unfit"; readonly reason: string };

/** Whether a message is a request. It comes from the runtime itself, so its type is enough. */
export function isHostRequest(value: unknown): value is HostRequest {
  return isRecord(value) && (value["type"] === "call" || value["type"] === "render" || value["type"] === "abort");
}

/** Whether a message is a reply. It comes from a process that runs foreign code, so all of it is checked. */
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
