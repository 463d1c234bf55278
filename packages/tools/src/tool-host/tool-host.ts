import { existsSync } from "node:fs";
import { join } from "node:path";
import { type JsonObject, type JsonValue, sourceLayout } from "@mdx-ai/base";
import { realPathOrSame, resolveRealPath } from "@mdx-ai/base/disk";
import {
  type AgentTool,
  type BoundedResult,
  contentText,
  headOf,
  type ToolContext,
  type ToolStubs,
} from "@mdx-ai/loop";
import { parametersSchema, type ToolDefinition, type ToolExample } from "@mdx-ai/parser";
import { DEFAULT_SECONDS, type Sandbox } from "@mdx-ai/sandbox";
import { codeHashes } from "@mdx-ai/sandbox/imports";
import { callReport } from "./call-report.ts";
import type { ChildPoolOptions } from "./child-pool.ts";
import type { AgentFile } from "./host-messages.ts";
import type { HostedCalls } from "./hosted-calls.ts";

/** The ESM, an expression or a component of agent.mdx failed; the message names the position if it is known. */
export class RenderError extends Error {
  override readonly name = "RenderError";
  /** `{stack}` if there is one. */
  readonly details: JsonValue | undefined;

  constructor(message: string, details?: JsonValue) {
    super(message);
    this.details = details;
  }
}

interface ToolHostOptions extends ChildPoolOptions {
  /** The real path of the agent directory, if the caller knows it. Absolute. */
  readonly realPath?: string | undefined;
  /** SHA-256 of files that trust covers, by real paths: compared before a tool that imports them is loaded. */
  readonly hashes?: ReadonlyMap<string, string> | undefined;
  /** Replacements for the network and the clock of all its tools. */
  readonly stubs?: ToolStubs | undefined;
}

/** Runs the code of agent.mdx in separate processes, so that any failure is only an error result. */
export class ToolHost {
  readonly #sandbox: Sandbox | undefined;
  readonly #file: AgentFile;
  readonly #options: ToolHostOptions;
  #calls: Promise<HostedCalls> | undefined;
  #hashes: Readonly<Record<string, string>> | undefined;
  #isClosed = false;

  /** Starts no process, and loads no code for that, before the first call. */
  constructor(options: ToolHostOptions) {
    this.#options = options;
    this.#sandbox = options.sandbox;
    // In the sandbox, a link to it may be in a folder that tools can write to.
    const { realPath: real = realPathOrSame(options.agentDir) } = options;
    this.#file = { agentDir: real, path: sourceLayout(real).definition };
  }

  /**
   * Runs one call of a tool. Starts a process if no idle one has served this tool in this session. Text over the limit is cut,
   * and `dropped` counts the missing characters. Never rejects.
   */
  async call(tool: ToolDefinition, args: JsonObject, context: ToolContext): Promise<BoundedResult> {
    const { stubs } = this.#options;
    const isImporting = /\b(?:import|require)\b/.test(tool.code.text);
    const hosted = {
      ...{ file: this.#fileOf(tool), code: tool.code },
      ...(isImporting && { hashes: this.#codeHashes() }),
      ...(stubs && { stubs }),
    };
    const { cwd, sessionId, callId, signal } = context;
    const calls = await this.#open();
    return calls.run({
      kind: {
        key: JSON.stringify([sessionId, tool.code, tool.environment, tool.network, tool.files]),
        environment: tool.environment,
        purpose: tool,
      },
      seconds: tool.timeout ?? DEFAULT_SECONDS.tool,
      signal,
      report: callReport(context),
      request: (id) => ({ type: "call", id, args, cwd: realPathOrSame(cwd), sessionId, callId, tool: hosted }),
    });
  }

  /** Evaluates a compiled document and returns its Markdown. Rejects with `RenderError`. */
  async render(program: string): Promise<string> {
    const calls = await this.#open();
    const result = await calls.run({
      kind: { key: JSON.stringify(["render", program]), environment: [], purpose: "code" },
      seconds: DEFAULT_SECONDS.tool,
      signal: new AbortController().signal,
      report: callReport({ log: async () => {}, update: () => {} }),
      request: (id) => ({ type: "render", id, file: this.#file, program }),
    });
    const text = contentText(result.content);
    if (result.isError) throw new RenderError(text, result.details);
    return text;
  }

  /** Kills all processes; open calls end with an error result. Never rejects; may be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const calls = await this.#calls;
    await calls?.close();
    await this.#sandbox?.close();
  }

  /** A call after closing gets an error result. */
  async #open(): Promise<HostedCalls> {
    this.#calls ??= import("./hosted-calls.ts").then(({ HostedCalls: Calls }) => new Calls(this.#options));
    const calls = await this.#calls;
    if (this.#isClosed) await calls.close();
    return calls;
  }

  #codeHashes(): Readonly<Record<string, string>> {
    const { agentDir, hashes } = this.#options;
    this.#hashes ??= hashes === undefined ? {} : codeHashes(agentDir, hashes);
    return this.#hashes;
  }

  /** The file that contains the code of a tool. */
  #fileOf({ code }: ToolDefinition): AgentFile {
    const { agentDir } = this.#file;
    if (code.file === undefined) return this.#file;
    const path = join(agentDir, code.file);
    return { agentDir, path: existsSync(path) ? resolveRealPath(path) : path };
  }
}

/** The most characters of one limit that are shown. */
const LIMIT_LENGTH = 500;

/** A `<Tool>` of agent.mdx as a callable tool; it runs in the tool host. */
export function inlineTool(definition: ToolDefinition, host: ToolHost): AgentTool {
  return {
    name: definition.name,
    description: toolDescription(definition),
    parameters: parametersSchema(definition),
    ...(definition.idempotent && { idempotent: true }),
    ...(definition.permission && { permission: definition.permission }),
    execute: (args, context) => host.call(definition, args, context),
  };
}

/**
 * The description of an inline tool for a model: the author's text, then the shown examples as JSON, one per line. The same at
 * every start, so that the prefix of a prompt does not change.
 */
export function toolDescription({ description, examples }: Pick<ToolDefinition, "description" | "examples">): string {
  const shown = examples.filter(({ fewShot }) => fewShot).map(exampleLine);
  return shown.length === 0 ? description : `${description}\n\nExamples:\n${shown.join("\n")}`;
}

/** The limits that a tool declares, such as `network="none" and files="read:data/**"`; undefined without any. */
export function declaredLimits({ network, files }: Pick<ToolDefinition, "network" | "files">): string | undefined {
  const paths = files && [...files.read.map((path) => `read:${path}`), ...files.write.map((path) => `write:${path}`)];
  const limits = Object.entries({ network, files: paths }).flatMap(([name, allowed]) =>
    allowed ? [`${name}="${headOf(allowed.join(",") || "none", LIMIT_LENGTH)}"`] : [],
  );
  return limits.length === 0 ? undefined : limits.join(" and ");
}

/** As the author wrote it. */
function exampleLine({ arguments: args, expected }: ToolExample): string {
  switch (expected.type) {
    case "success":
      return JSON.stringify({ arguments: args });
    case "result":
      return JSON.stringify({ arguments: args, result: expected.value });
    case "contains":
      return JSON.stringify({ arguments: args, contains: expected.text });
    case "error":
      return JSON.stringify({ arguments: args, error: expected.text });
    default:
      return expected satisfies never;
  }
}
