import { closeSync, existsSync, openSync } from "node:fs";
import { killGroup } from "@mdx-ai/mcp/reaper";
import { firstComplaint } from "./complaint.ts";
import { SandboxDeadlineError, SandboxStartError } from "./sandbox-errors.ts";

/** The programs that make and enter a sandbox. Absolute. */
export interface SandboxPrograms {
  readonly bubblewrap: string;
  /** From util-linux. */
  readonly nsenter: string;
}

/** Kills a process when this one ends, unless the returned function is called first. */
export type Watch = (pid: number) => () => void;

/** How processes of a sandbox start: the terminal's Ctrl+C does not reach them, and each leads a group that is killed as a whole. */
export const APART = { cwd: "/", env: {}, detached: true } as const;

const DEADLINE_SECONDS = 10;

/** A kind of namespace, as `nsenter` names it. */
export type Namespace = "mount" | "net" | "ipc" | "uts";

/** A process that keeps resources such as namespaces until its standard input closes, so at the latest until this process ends. */
export class Holder {
  readonly #process: Bun.Subprocess<"pipe", "pipe", "pipe">;
  /** Its first line of output. */
  readonly line: string;

  private constructor(started: Bun.Subprocess<"pipe", "pipe", "pipe">, line: string) {
    this.#process = started;
    this.line = line;
  }

  /**
   * Starts the command with these open files from descriptor 3 on, and waits for its first line. Rejects with
   * `SandboxStartError`, `SandboxDeadlineError`, or the system's error.
   */
  static async start(command: readonly string[], watch: Watch, files: readonly number[] = []): Promise<Holder> {
    const started = Bun.spawn([...command], { ...APART, stdio: ["pipe", "pipe", "pipe", ...files] });
    started.unref();
    void started.exited.then(watch(started.pid));
    const line = await firstLine(started);
    if (line === undefined) throw new SandboxStartError(await endOf(started));
    return new Holder(started, line);
  }

  get isOpen(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Never throws; may be called twice. */
  close(): void {
    this.#process.kill("SIGKILL");
  }
}

/**
 * The first line that a process writes, which writes no second one until it is asked to; undefined if it ends before. Rejects with
 * `SandboxDeadlineError`.
 */
export async function firstLine(started: Bun.Subprocess<"pipe", "pipe", "pipe">): Promise<string | undefined> {
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    killGroup(started.pid);
  }, 1000 * DEADLINE_SECONDS);
  const reader = started.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  clearTimeout(deadline);
  if (isLate) throw new SandboxDeadlineError(DEADLINE_SECONDS);
  return value === undefined ? undefined : new TextDecoder().decode(value).trimEnd();
}

/** A shell script that keeps its namespaces; its first line is its process id. */
export const HOLDING = "echo $$ && read -r _";

/**
 * Whether a holder that ran `HOLDING` still keeps its namespaces. Checks the system: this process may not have noticed yet that
 * it was killed.
 */
export const isHeld = (holder: Holder): boolean => holder.isOpen && existsSync(`/proc/${holder.line}/ns/mnt`);

/** The command prefix that enters the namespaces of a holder that ran `HOLDING`, with the rights to change them. */
export function entrance({ nsenter }: SandboxPrograms, holder: Holder, namespaces: readonly Namespace[]): string[] {
  const user = isRoot() ? [] : ["--user", "--preserve-credentials"];
  return [nsenter, "--target", holder.line, ...user, ...namespaces.map((name) => `--${name}`), "--"];
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Reopens an open file so that a process that is started now reads it from its beginning; none without a file. Throws the file
 * system's error.
 */
export function reopened(file: number | undefined): Disposable & { readonly descriptors: readonly number[] } {
  const descriptors = file === undefined ? [] : [openSync(`/proc/self/fd/${file}`, "r")];
  return { descriptors, [Symbol.dispose]: () => descriptors.forEach(closeSync) };
}

/** Why a process ended, as a line without a full stop. */
export async function endOf(started: Bun.Subprocess<"pipe", "pipe", "pipe">): Promise<string> {
  const [exitCode, complaint] = await Promise.all([started.exited, firstComplaint(started.stderr)]);
  const end = started.signalCode === null ? `exit code ${exitCode}` : `it was ended by signal ${started.signalCode}`;
  return complaint || end;
}
