import type { McpConnection } from "@mdx-ai/mcp";
import { MemoryStoreError, type MemoryStoreProblem } from "../memory-store-error.ts";
import { type GivenArguments, type ListedTool, missingArguments, takes, toolArguments } from "./tool-arguments.ts";

/** What of a connection the store uses. */
export type MemoryConnection = Pick<McpConnection, "name" | "state" | "tools" | "connect" | "call" | "close">;

/** Calls the tools of a memory service with arguments that its list of tools allows. */
export class RemoteCalls {
  readonly #connection: MemoryConnection;
  readonly #signal: AbortSignal;

  constructor(connection: MemoryConnection, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  /** Resolves to the text of the answer. Rejects with `MemoryStoreError`. */
  async call(name: string, given: GivenArguments): Promise<string> {
    const tool = await this.#tool(name);
    const args = toolArguments(tool, given);
    const missing = missingArguments(tool, args);
    if (missing.length > 0)
      throw this.#error("invalid", `its tool ${name} wants ${missing.join(", ")}, which this program does not know`);
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

/** What a refusal of the service means, by its words: it has no codes. */
function problemOf(text: string): MemoryStoreProblem {
  if (/\bnot found\b/i.test(text))
    return /\bvault\b[^:]*\bnot found\b/i.test(text) ? "unknown_vault" : "unknown_memory";
  if (/already exists|duplicate|conflict/i.test(text)) return "exists";
  return /invalid|required|must|too long|at most/i.test(text) ? "invalid" : "unavailable";
}
