import { secondsText, whenAborted } from "@mdx-ai/base";
import { type BoundedResult, contentText, errorResult, withNote } from "@mdx-ai/loop";
import { errorText } from "../error-text.ts";
import type { CallReport } from "./call-report.ts";
import { type ChildKind, ChildPool, type ChildPoolOptions } from "./child-pool.ts";
import type { HostAnswer, HostChild } from "./host-child.ts";
import type { FunctionRequest, HostRequest } from "./host-messages.ts";

/** How long closing waits for calls that were asked to stop, in milliseconds. */
const STOP_MILLISECONDS = 200;

/** A call that a process of a pool serves. */
export interface Job {
  readonly kind: ChildKind;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly report: CallReport;
  readonly request: (id: number) => HostRequest | FunctionRequest;
}

/** Runs calls in separate processes, each for one kind of call, so that any failure is only an error result. */
export class HostedCalls {
  readonly #pool: ChildPool;
  /** Calls that were asked to stop. */
  readonly #stopping = new Set<Promise<HostAnswer>>();
  #lastId = 0;
  #closed = false;

  /** Starts no process before the first call. */
  constructor(options: ChildPoolOptions) {
    this.#pool = new ChildPool(options);
  }

  /** Kills all processes; open calls end with an error result. Never rejects; may be called twice. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#stopping.size > 0) await Promise.race([Promise.all(this.#stopping), Bun.sleep(STOP_MILLISECONDS)]);
    await this.#pool.close();
  }

  /** Starts a process if no idle one served this kind before. Never rejects. */
  async run(job: Job): Promise<BoundedResult> {
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
    if (answer.type === "answered" && !answer.final) this.#pool.give(job.kind, child);
    else child.kill();
    // The process had ended while idle: the call never reached it.
    if (answer.type === "ended" && answer.lost && !termination.reason) return this.run(job);
    if (termination.reason) return errorResult(stopText(termination.reason, job.seconds));
    const isAnswered = answer.type === "answered";
    const result = isAnswered ? answer.result : errorResult(this.#closed ? "the tool host was closed" : answer.reason);
    return result.isError ? withNote(result, await child.noteOn(contentText(result.content))) : result;
  }
}

function stopText(reason: StopReason, seconds: number): string {
  return reason === "timeout"
    ? `the tool was stopped: it timed out after ${secondsText(seconds)}`
    : "the tool was aborted";
}

/** The time from the request to stop until the process is killed, in milliseconds. */
const GRACE_MILLISECONDS = 500;

/** Why a call was stopped. */
type StopReason = "timeout" | "abort";

/** Stops a call on a timeout or when its signal fires: first by a request, then by force. Dispose it when the call has ended. */
class Termination implements Disposable {
  readonly #means: { stop(): void; kill(): void };
  readonly #listener: Disposable;
  #timer: ReturnType<typeof setTimeout>;
  /** Set once the call was asked to stop. */
  reason: StopReason | undefined;

  constructor({ seconds, signal }: Pick<Job, "seconds" | "signal">, means: { stop(): void; kill(): void }) {
    this.#means = means;
    this.#timer = setTimeout(() => this.#stop("timeout"), seconds * 1000);
    this.#listener = whenAborted(signal, () => this.#stop("abort"));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#listener[Symbol.dispose]();
  }

  #stop(reason: StopReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#means.kill(), GRACE_MILLISECONDS);
    this.#means.stop();
  }
}
