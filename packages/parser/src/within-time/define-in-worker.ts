import { readFileSync, readlinkSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { AgentFile, AgentFiles, SkillFiles } from "../agent-files.ts";

/** Milliseconds of processor time that a file of up to `usualLength` may take; a longer one may take longer in proportion. */
const usualTime = 600;
/** UTF-16 code units. */
const usualLength = 100_000;
/** Milliseconds between two looks at the time. */
const lookEvery = 50;

/** What the worker is to parse. */
export type WorkerTask =
  | { readonly unit: "agent"; readonly files: AgentFiles }
  | { readonly unit: "skills"; readonly files: SkillFiles };

/** What the worker sends. */
export type WorkerMessage<Entry> =
  | { readonly type: "started"; readonly file: string; readonly thread?: string }
  | { readonly type: "parsed"; readonly entry: Entry };

/** The end of a worker; "failed" if it could not be started, as in a bundle that lacks its file. */
export type WorkerOutcome<Entry> =
  | Extract<WorkerMessage<Entry>, { readonly type: "parsed" }>
  | { readonly type: "late"; readonly file: string }
  | { readonly type: "failed" };

/** Does a task in a worker, which is stopped if one of the files takes too long. Never rejects. */
export async function parseInWorker<Entry>(
  task: WorkerTask,
  files: readonly AgentFile[],
): Promise<WorkerOutcome<Entry>> {
  const { promise, resolve } = Promise.withResolvers<WorkerOutcome<Entry>>();
  const worker = startWorker(task);
  if (worker === undefined) return { type: "failed" };
  let watch: Watch | undefined;
  worker.on("message", (message: WorkerMessage<Entry>) => {
    if (message.type === "parsed") resolve(message);
    else watch = new Watch(message.file, timeFor(files.find(({ path }) => path === message.file)), message.thread);
  });
  worker.on("error", () => resolve({ type: "failed" }));
  worker.on("exit", () => resolve({ type: "failed" }));
  const timer = setInterval(() => {
    if (watch?.isOver() === true) resolve({ type: "late", file: watch.file });
  }, lookEvery);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    void worker.terminate();
  }
}

/** Bun runs the source, or a bundle or executable that has all files in one folder. */
function startWorker(task: WorkerTask): Worker | undefined {
  const file = import.meta.path.endsWith(".ts") ? "parse-worker.ts" : "parse-worker.js";
  try {
    return new Worker(new URL(`./${file}`, import.meta.url), { workerData: task });
  } catch {
    return undefined;
  }
}

/** The processor time that one file takes: that the machine is busy is not the file's fault. */
class Watch {
  readonly file: string;
  readonly #thread: string | undefined;
  readonly #end: number | undefined;

  constructor(file: string, limit: number, thread: string | undefined) {
    this.file = file;
    this.#thread = thread;
    const start = threadTime(thread);
    this.#end = start === undefined ? undefined : start + limit;
  }

  isOver(): boolean {
    const now = threadTime(this.#thread);
    return now !== undefined && this.#end !== undefined && now > this.#end;
  }
}

/** Milliseconds of processor time. */
function timeFor({ text = "" }: Pick<AgentFile, "text"> = {}): number {
  return usualTime * Math.max(1, text.length / usualLength);
}

const ticksPerSecond = 100;

/** A name for the current thread, for `threadTime`; undefined where the system has none. */
export function currentThread(): string | undefined {
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return undefined;
  }
}

/**
 * The processor time that a thread of this process has used, in milliseconds, or that of the whole process if it has no name;
 * undefined once the thread has ended.
 */
function threadTime(thread: string | undefined): number | undefined {
  if (thread === undefined) return processTime();
  try {
    // See proc(5): fields 14 and 15, of those that follow the name in parentheses, are in ticks.
    const stat = readFileSync(`/proc/${thread}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return (ticks * 1_000) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
