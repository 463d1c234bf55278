import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "@mdx-ai/models";
import type { ToolDefinition } from "@mdx-ai/parser";
import { contentText } from "../content-text.ts";
import { realPlace, realPlaceOrSame } from "../files/real-place.ts";
import { ownCode } from "../imports/import-guard.ts";
import { DEFAULT_SECONDS } from "../sandbox/process-limits.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { type BoundedResult, errorResult, errorText, withNote } from "../tools/tool-result.ts";
import type { ToolContext, ToolStubs } from "../types/tool.ts";
import { type CallReport, callReport } from "./call-report.ts";
import { type ChildKind, ChildPool, type ChildPoolOptions } from "./child-pool.ts";
import type { HostAnswer, HostChild } from "./host-child.ts";
import type { AgentFile, HostRequest } from "./host-messages.ts";

/** How long the close of a tool host waits for calls that were asked to stop. */
const STOP_MILLISECONDS = 200;

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

interface Job {
  readonly kind: ChildKind;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly report: CallReport;
  readonly request: (id: number) => HostRequest;
}

interface ToolHostOptions extends ChildPoolOptions {
  /** SHA-256 of files that trust covers, by real paths: the processes load no other bytes of them. */
  readonly hashes?: ReadonlyMap<string, string> | undefined;
  /** What all its tools have in place of the network and the clock. */
  readonly stubs?: ToolStubs | undefined;
}

/** Runs the code of agent.mdx in separate processes, so that its worst failure costs one error result. */
export class ToolHost {
  readonly #sandbox: Sandbox | undefined;
  readonly #file: AgentFile;
  readonly #pool: ChildPool;
  readonly #stubs: ToolStubs | undefined;
  /** Calls that were asked to stop. */
  readonly #stopping = new Set<Promise<HostAnswer>>();
  #lastId = 0;
  #closed = false;

  readonly #hashes: Readonly<Record<string, string>>;

  /** No process is started before it is needed. */
  constructor(options: ToolHostOptions) {
    const { agentDir, sandbox, hashes, stubs } = options;
    this.#stubs = stubs;
    this.#hashes = hashes === undefined ? {} : ownCode(agentDir, hashes);
    this.#sandbox = sandbox;
    this.#pool = new ChildPool(options);
    // In the sandbox a link that leads there may be in a folder that tools can write.
    const real = realPlaceOrSame(agentDir);
    this.#file = { agentDir: real, path: join(real, "agent.mdx") };
  }

  /**
   * Runs one call of a tool. Starts a process if no idle one served this tool in this session before. Text over the limit
   * has been cut, and `dropped` counts what is missing. Never rejects.
   */
  call(tool: ToolDefinition, args: JsonObject, context: ToolContext): Promise<BoundedResult> {
    const isImporting = /\b(?:import|require)\b/.test(tool.code.text);
    const hosted = {
      ...{ file: this.#fileOf(tool), code: tool.code },
      ...(isImporting && { hashes: this.#hashes }),
      ...(this.#stubs && { stubs: this.#stubs }),
    };
    const { cwd, sessionId, callId, signal } = context;
    return this.#run({
      kind: {
        key: JSON.stringify([sessionId, tool.code, tool.environment, tool.network, tool.files]),
        environment: tool.environment,
        purpose: tool,
      },
      seconds: tool.timeout ?? DEFAULT_SECONDS.tool,
      signal,
      report: callReport(context),
      request: (id) => ({ type: "call", id, args, cwd: realPlaceOrSame(cwd), sessionId, callId, tool: hosted }),
    });
  }

  /** Evaluates a compiled document and returns its Markdown. Rejects with `RenderError`. */
  async render(program: string): Promise<string> {
    const result = await this.#run({
      kind: { key: JSON.stringify(["render", program]), environment: [], purpose: "prose" },
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
    this.#closed = true;
    if (this.#stopping.size > 0) await Promise.race([Promise.all(this.#stopping), Bun.sleep(STOP_MILLISECONDS)]);
    await this.#pool.close();
    await this.#sandbox?.close();
  }

  /** The file that contains the code of a tool. */
  #fileOf({ code }: ToolDefinition): AgentFile {
    const { agentDir } = this.#file;
    if (code.file === undefined) return this.#file;
    const path = join(agentDir, code.file);
    return { agentDir, path: existsSync(path) ? realPlace(path) : path };
  }

  async #run(job: Job): Promise<BoundedResult> {
    if (this.#closed) return errorResult("the tool host is closed");
    try {
      const child = await this.#pool.take(job.kind);
      if (!this.#closed) return await this.#ask(job, child);
      child.kill();
      return errorResult("the tool host is closed");
    } catch (error) {
      return errorResult(`the tool host could not be started: ${errorText(error)}`);
    }
  }

  async #ask(job: Job, child: HostChild): Promise<BoundedResult> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answering = child.ask(job.request(id), job.report);
    const stop = (): void => {
      this.#stopping.add(answering);
      child.send({ type: "abort", id });
    };
    using termination = new Termination(job, { stop, kill: () => child.kill() });
    const answer = await answering;
    this.#stopping.delete(answering);
    const moved = child.settle();
    if (answer.type === "answered" && !answer.final) this.#pool.give(job.kind, child);
    else child.kill();
    // The process had ended while it was idle: the call never reached it.
    if (answer.type === "ended" && answer.lost && !termination.reason) return this.#run(job);
    if (termination.reason) return withNote(errorResult(stopText(termination.reason, job.seconds)), moved);
    const isAnswered = answer.type === "answered";
    const result = isAnswered ? answer.result : errorResult(this.#closed ? "the tool host was closed" : answer.reason);
    return withNote(result.isError ? withNote(result, child.noteOn(contentText(result.content))) : result, moved);
  }
}

function stopText(reason: StopReason, seconds: number): string {
  return reason === "timeout"
    ? `the tool was stopped: it was not done after ${seconds} seconds`
    : "the tool was aborted";
}

/** Milliseconds from the request to stop until the process is killed. */
const GRACE_MILLISECONDS = 500;

/** Why a call was stopped. */
type StopReason = "timeout" | "abort";

/** Stops a call when its time is over or its signal fires: first by a request, then by force. Dispose it when the call has ended. */
class Termination implements Disposable {
  readonly #signal: AbortSignal;
  readonly #means: { stop(): void; kill(): void };
  readonly #onAbort = (): void => this.#stop("abort");
  #timer: ReturnType<typeof setTimeout>;
  /** Set once the call was asked to stop. */
  reason: StopReason | undefined;

  constructor({ seconds, signal }: Pick<Job, "seconds" | "signal">, means: { stop(): void; kill(): void }) {
    this.#signal = signal;
    this.#means = means;
    this.#timer = setTimeout(() => this.#stop("timeout"), seconds * 1000);
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#onAbort);
  }

  #stop(reason: StopReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#means.kill(), GRACE_MILLISECONDS);
    this.#means.stop();
  }
}
