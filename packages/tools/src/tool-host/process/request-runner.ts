import { attempt, isRecord } from "@mdx-ai/base";
import { readWholeFile } from "@mdx-ai/base/disk";
import { type BoundedResult, boundedResult, headOf, type ToolStubs, textResult } from "@mdx-ai/loop";
import type { SourcePoint } from "@mdx-ai/parser";
import type { ImportingCode } from "@mdx-ai/sandbox/imported-files";
import { verifyFiles } from "@mdx-ai/sandbox/imports";
import { plugin } from "bun";
import {
  type HostedTool,
  type HostReply,
  type HostRequest,
  LOG_LENGTH,
  UPDATE_MILLISECONDS,
} from "../host-messages.ts";
import { AuthorPaths, type AuthorSource, failureResult, isOutOfMemory } from "./failure-result.ts";
import type { InstalledStubs } from "./tool-stubs.ts";

type CallRequest = Extract<HostRequest, { type: "call" }>;
type RenderRequest = Extract<HostRequest, { type: "render" }>;

/** A request that has not been answered. */
interface OpenRequest {
  readonly id: number;
  readonly places: AuthorPaths;
  readonly abortion: AbortController;
  readonly updates: UpdateThrottle;
}

/** Serves requests, one at a time. */
export class RequestRunner {
  readonly #send: (reply: HostReply) => void;
  #unfit = false;
  #open: OpenRequest | undefined;
  #execute: Promise<Execute> | undefined;
  #stubs: InstalledStubs | undefined;
  #loaded = false;

  constructor(send: (reply: HostReply) => void) {
    this.#send = send;
  }

  take(request: HostRequest): void {
    if (this.#unfit) return;
    switch (request.type) {
      case "call":
        void this.#call(request);
        break;
      case "render":
        void this.#render(request);
        break;
      case "abort":
        if (request.id === this.#open?.id) this.#open.abortion.abort();
        break;
      default:
        request satisfies never;
    }
  }

  /** Handles an uncaught error: the open request fails, and this process takes no other. */
  failUnhandled(error: unknown): void {
    this.#unfit = true;
    if (this.#open) {
      this.#fail(this.#open, error, true);
      return;
    }
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.#send({ type: "unfit", reason: `error after a tool's end: ${text}` });
  }

  async #call({ id, args, tool, ...request }: CallRequest): Promise<void> {
    const open = this.#begin(id, sourceOf(tool));
    try {
      if (tool.stubs !== undefined) await this.#beginStubs(tool.stubs);
      this.#execute ??= loadTool(tool);
      const execute = await this.#execute;
      this.#loaded = true;
      const { signal } = open.abortion;
      const update = (partial: unknown): void => open.updates.add(boundedResult(partial));
      const { agentDir } = tool.file;
      const { cwd, sessionId, callId } = request;
      const context = { agentDir, cwd, sessionId, callId, log: this.#logOf(id), update, signal };
      const value = await execute(args, context);
      await unhandledErrors();
      if (this.#stubs?.undeclared) throw this.#stubs.undeclared;
      this.#answer(open, boundedResult(value), !seesUnhandled());
    } catch (error) {
      this.#fail(open, this.#stubs?.undeclared ?? error, !this.#loaded || isOutOfMemory(error) || !seesUnhandled());
    }
  }

  /** Must run before the tool's code is loaded, which may keep references to globals. */
  async #beginStubs(stubs: ToolStubs): Promise<void> {
    const { InstalledStubs } = await import("./tool-stubs.ts");
    this.#stubs ??= new InstalledStubs(stubs);
    this.#stubs.begin();
  }

  async #render({ id, file, program }: RenderRequest): Promise<void> {
    const { programMap, renderProgram } = await import("./render/render-program.ts");
    const open = this.#begin(id, { file, text: program, firstLine: 1, locate: programMap(program) });
    try {
      this.#answer(open, textResult(await renderProgram(file, program)), true);
    } catch (error) {
      this.#fail(open, error, true);
    }
  }

  #begin(id: number, source: AuthorSource): OpenRequest {
    const updates = new UpdateThrottle((partial) => this.#send({ type: "update", id, partial }));
    const open = { id, places: new AuthorPaths(source), abortion: new AbortController(), updates };
    this.#open = open;
    this.#send({ type: "begun", id });
    return open;
  }

  #logOf(id: number): (message: unknown) => Promise<void> {
    return async (message) => {
      const text = typeof message === "string" ? message : Bun.inspect(message);
      for (const line of headOf(text, LOG_LENGTH).split("\n")) this.#send({ type: "log", id, line });
    };
  }

  #fail(open: OpenRequest, error: unknown, final: boolean): void {
    this.#answer(open, failureResult(error, open.places), final);
  }

  /** Only the first answer is sent. */
  #answer(open: OpenRequest, result: BoundedResult, final: boolean): void {
    if (this.#open !== open) return;
    this.#open = undefined;
    open.updates.end();
    this.#send({ type: "answer", id: open.id, result, final });
  }
}

/**
 * Lines of a tool's code already have the file's numbers; columns lack the indentation that Markdown removed. An earlier line is
 * in code that the tool evaluated.
 */
function sourceOf({ file, code }: HostedTool): AuthorSource {
  const { line: firstLine } = code.position;
  const locate = ({ line, column }: SourcePoint): SourcePoint | undefined =>
    line >= firstLine ? { line, column: column + code.indent } : undefined;
  return { file, text: code.text, firstLine, locate };
}

/** Whether unhandled errors are still detected: a tool may have removed the listeners. */
const seesUnhandled = (): boolean =>
  ["unhandledRejection", "uncaughtException"].every((event) => process.listenerCount(event) > 0);

const { setImmediate: afterMicrotasks } = globalThis;

/** Waits until unhandled rejections of a call have been reported. */
function unhandledErrors(): Promise<void> {
  return new Promise((resolve) => {
    afterMicrotasks(() => resolve());
  });
}

/** The `execute` function of a tool's code. */
type Execute = (params: unknown, context: unknown) => unknown;

/** A tool's code defines no function `execute`. */
class NoExecuteError extends Error {
  override readonly name = "NoExecuteError";
}

/** The name under which `execute` is exported if the author does not export it. */
const EXPORTED = "__mdxAiExecute";

/**
 * Loads the code of a tool as a module at the path of its file, with the file's line numbers: stacks are correct, and relative
 * imports start in the agent's directory.
 */
async function loadTool({ file, code, hashes = {} }: HostedTool): Promise<Execute> {
  // The import reports invalid code, with its position.
  const scanned = attempt(() => new Bun.Transpiler({ loader: "ts" }).scan(code.text));
  const lastLine = scanned?.exports.includes("execute") ? "" : `export { execute as ${EXPORTED} };`;
  const contents = `${"\n".repeat(code.position.line - 1)}${code.text}\n${lastLine}`;
  plugin({
    name: "agent-tool",
    setup: (build) => {
      build.module(file.path, () => ({ contents, loader: /\.[jt]sx$/.test(file.path) ? "tsx" : "ts" }));
    },
  });
  await verifyImported({ text: code.text, file: file.path, root: file.agentDir }, hashes);
  const module: unknown = await import(file.path);
  const execute = isRecord(module) ? (module[EXPORTED] ?? module["execute"]) : undefined;
  if (!isExecute(execute)) throw new NoExecuteError("the tool's code defines no function `execute`");
  return execute;
}

/** Rejects if an imported file differs from what the user trusted. The code itself came with the call. */
async function verifyImported(code: ImportingCode, hashes: Readonly<Record<string, string>>): Promise<void> {
  if (Object.keys(hashes).length === 0) return;
  const { importedFiles } = await import("@mdx-ai/sandbox/imported-files");
  const read = (path: string): string | undefined =>
    Object.hasOwn(hashes, path) ? attempt(() => readWholeFile(path).toString()) : undefined;
  const imported = importedFiles(code, read).filter((path) => path !== code.file);
  verifyFiles(imported.map((path) => [path, hashes[path] ?? ""]));
}

const isExecute = (value: unknown): value is Execute => typeof value === "function";

// Saved, since the code of a tool may replace them.
const { clearTimeout, setTimeout } = globalThis;
const now = performance.now.bind(performance);

/** Sends the partial results of one call, at most one per 50 milliseconds. Always sends the newest; may drop older ones. */
class UpdateThrottle {
  readonly #send: (partial: BoundedResult) => void;
  #last = Number.NEGATIVE_INFINITY;
  #pending: BoundedResult | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;

  constructor(send: (partial: BoundedResult) => void) {
    this.#send = send;
  }

  add(partial: BoundedResult): void {
    if (this.#hasEnded) return;
    this.#pending = partial;
    const wait = this.#last + UPDATE_MILLISECONDS - now();
    if (wait <= 0) this.#sendPending();
    else this.#timer ??= setTimeout(() => this.#sendPending(), wait);
  }

  /** Sends the pending result. Later partial results are dropped. */
  end(): void {
    this.#sendPending();
    this.#hasEnded = true;
  }

  #sendPending(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#pending) return;
    this.#last = now();
    this.#send(this.#pending);
    this.#pending = undefined;
  }
}
