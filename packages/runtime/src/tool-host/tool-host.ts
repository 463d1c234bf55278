import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment, JsonObject, JsonValue } from "@mdx-ai/models";
import type { ToolDefinition } from "@mdx-ai/parser";
import { contentText } from "../content-text.ts";
import { realPlace } from "../files/real-place.ts";
import { ChangeWatch } from "../sandbox/change-watch.ts";
import { Reaper } from "../sandbox/reaper.ts";
import type { EnclosureRequest, Sandbox } from "../sandbox/sandbox.ts";
import { errorText } from "../tools/error-text.ts";
import { type BoundedResult, textResult, withNote } from "../tools/tool-result.ts";
import type { ToolContext } from "../types/tool.ts";
import { CallReport } from "./call-report.ts";
import { ChildPool } from "./child-pool.ts";
import { type HostAnswer, HostChild, MEMORY_KIBIBYTES } from "./host-child.ts";
import { hostEnvironment } from "./host-environment.ts";
import type { AgentFile, HostRequest } from "./host-messages.ts";
import { type StopReason, Termination } from "./termination.ts";

const DEFAULT_SECONDS = 60;

/** How long the close of a tool host waits for calls that were asked to stop. */
const STOP_MILLISECONDS = 200;

export interface ToolHostOptions {
  /** Starts a process that runs `runToolHostProcess`. */
  readonly command: readonly string[];
  /** Absolute. */
  readonly agentDir: string;
  /** The working directory of the processes. Absolute. */
  readonly cwd: string;
  /** The user's variables; a tool gets the few that programs need, and those that its `env` names. */
  readonly environment: Environment;
  /** The file that holds the tools, relative to the agent directory; default "agent.mdx". */
  readonly file?: string;
  /** Contains the processes; without it, they are not contained. It is closed with the tool host. */
  readonly sandbox?: Sandbox | undefined;
  /** How long a contained process waits for its next call before it is ended; default 5,000. */
  readonly idleMilliseconds?: number | undefined;
}

/** Runs the code of agent.mdx in separate processes, so that whatever it does costs one error result at most. */
export interface ToolHost {
  /**
   * Runs one call of a tool; starts a process if none of this tool is idle. Text over the limit has been cut, and
   * `dropped` counts what is missing. Never rejects.
   */
  call(tool: ToolDefinition, args: JsonObject, context: ToolContext): Promise<BoundedResult>;
  /** Evaluates a compiled document and returns its Markdown. Rejects with `RenderError`. */
  render(program: string): Promise<string>;
  /** Kills all processes; open calls end with an error result. Never rejects; may be called twice. */
  close(): Promise<void>;
}

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

/** Opens a tool host; no process is started before it is needed. */
export function openToolHost(options: ToolHostOptions): ToolHost {
  return new ProcessToolHost(options);
}

/** What decides how a process is started. */
interface StartedFor {
  /** Names of the variables that it gets. */
  readonly environment: readonly string[];
  readonly purpose: EnclosureRequest["purpose"];
}

interface Job extends StartedFor {
  /** Processes are reused for jobs of the same key. */
  readonly key: string;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly report: CallReport;
  readonly request: (id: number) => HostRequest;
}

class ProcessToolHost implements ToolHost {
  readonly #options: ToolHostOptions;
  readonly #file: AgentFile;
  readonly #pool: ChildPool;
  readonly #reaper: Reaper;
  /** How idle processes were started that were used since they were last renewed; by their key. */
  readonly #used = new Map<string, StartedFor>();
  readonly #starting = new Set<Promise<HostChild>>();
  /** Calls that were asked to stop. */
  readonly #stopping = new Set<Promise<HostAnswer>>();
  #watch: ChangeWatch | undefined;
  #lastId = 0;
  #closed = false;

  constructor(options: ToolHostOptions) {
    const { agentDir, file = "agent.mdx" } = options;
    this.#options = options;
    this.#pool = new ChildPool(options.idleMilliseconds);
    this.#reaper = new Reaper({ name: `tool host of ${agentDir}` });
    this.#file = { agentDir, path: join(agentDir, file) };
  }

  call(tool: ToolDefinition, args: JsonObject, context: ToolContext): Promise<BoundedResult> {
    const hosted = { file: this.#fileOf(tool), code: tool.code };
    const { cwd, sessionId, callId, signal } = context;
    return this.#run({
      key: JSON.stringify([tool.code, tool.environment, tool.network, tool.files]),
      environment: tool.environment,
      purpose: tool,
      seconds: tool.timeout ?? DEFAULT_SECONDS,
      signal,
      report: new CallReport(context),
      request: (id) => ({ type: "call", id, args, cwd, sessionId, callId, tool: hosted }),
    });
  }

  async render(program: string): Promise<string> {
    const result = await this.#run({
      key: JSON.stringify(["render", program]),
      environment: [],
      purpose: "prose",
      seconds: DEFAULT_SECONDS,
      signal: new AbortController().signal,
      report: new CallReport({ log: async () => {}, update: () => {} }),
      request: (id) => ({ type: "render", id, file: this.#file, program }),
    });
    const text = contentText(result.content);
    if (result.isError) throw new RenderError(text, result.details);
    return text;
  }

  async close(): Promise<void> {
    this.#closed = true;
    // A process that is about to start is killed as soon as it has started: none may outlive this call.
    await Promise.allSettled(this.#starting);
    if (this.#stopping.size > 0) await Promise.race([Promise.all(this.#stopping), Bun.sleep(STOP_MILLISECONDS)]);
    this.#watch?.close();
    await this.#pool.close();
    await this.#reaper.close();
    await this.#options.sandbox?.close();
  }

  /** The file that contains the code of a tool. */
  #fileOf({ code }: ToolDefinition): AgentFile {
    const { agentDir } = this.#file;
    if (code.file === undefined) return this.#file;
    const path = join(agentDir, code.file);
    return { agentDir, path: existsSync(path) ? realPlace(path) : path };
  }

  async #run(job: Job): Promise<BoundedResult> {
    if (this.#closed) return failure("the tool host is closed");
    try {
      const child = this.#pool.take(job.key) ?? (await this.#start(job));
      if (!this.#closed) return await this.#ask(job, child);
      child.kill();
      return failure("the tool host is closed");
    } catch (error) {
      return failure(`the tool host could not be started: ${errorText(error)}`);
    }
  }

  async #ask(job: Job, child: HostChild): Promise<BoundedResult> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answering = child.ask(job.request(id), job.report);
    using termination = new Termination({
      milliseconds: job.seconds * 1000,
      signal: job.signal,
      onStop: () => {
        this.#stopping.add(answering);
        child.send({ type: "abort", id });
      },
      onKill: () => child.kill(),
    });
    const answer = await answering;
    this.#stopping.delete(answering);
    if (answer.type === "answered" && !answer.final) this.#giveBack(job, child);
    else child.kill();
    // The process had ended while it was idle: the call never reached it.
    if (answer.type === "ended" && answer.lost && !termination.reason) return this.#run(job);
    if (termination.reason) return failure(stopText(termination.reason, job.seconds));
    const result = resultOf(answer, this.#closed);
    return result.isError ? withNote(result, child.noteOn(contentText(result.content))) : result;
  }

  #giveBack(job: Job, child: HostChild): void {
    const { environment, purpose } = job;
    // Without the arguments of the call, which may be long.
    this.#used.set(job.key, { environment, purpose });
    this.#pool.give(job.key, child);
  }

  /** Replaces idle processes whose sandbox no longer protects every file, so that they cannot use that and the next call need not wait. */
  async #renew(): Promise<void> {
    const keys = this.#pool.retire();
    for (const key of new Set(keys)) {
      if (this.#closed) return;
      const startedFor = this.#used.get(key);
      this.#used.delete(key);
      const child = startedFor && (await this.#start(startedFor).catch(() => undefined));
      if (child) this.#pool.give(key, child);
      if (this.#closed) child?.kill();
    }
  }

  /** Starts a process, which is in the pool and in use. Rejects with the system's error. */
  #start(startedFor: StartedFor): Promise<HostChild> {
    const starting = this.#startNow(startedFor);
    const forget = (): void => void this.#starting.delete(starting);
    this.#starting.add(starting);
    starting.then(forget, forget);
    return starting;
  }

  async #startNow({ environment, purpose }: StartedFor): Promise<HostChild> {
    const { command, cwd, sandbox } = this.#options;
    const enclosure = await sandbox?.enclose({ purpose, kibibytes: MEMORY_KIBIBYTES });
    if (enclosure) this.#watch ??= new ChangeWatch(this.#file.agentDir, () => void this.#renew());
    try {
      const child = new HostChild({
        command,
        cwd,
        environment: hostEnvironment(this.#options.environment, environment),
        reaper: this.#reaper,
        enclosure,
      });
      return this.#pool.add(child);
    } catch (error) {
      enclosure?.release();
      throw error;
    }
  }
}

function resultOf(answer: HostAnswer, closed: boolean): BoundedResult {
  if (answer.type === "answered") return answer.result;
  return failure(closed ? "the tool host was closed" : answer.reason);
}

function stopText(reason: StopReason, seconds: number): string {
  return reason === "timeout"
    ? `the tool was stopped: it was not done after ${seconds} seconds`
    : "the tool was aborted";
}

function failure(text: string): BoundedResult {
  return { ...textResult(text), isError: true };
}
