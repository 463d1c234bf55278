import { closeSync, existsSync, openSync } from "node:fs";
import { firstComplaint } from "./complaint.ts";
import { SandboxDeadlineError } from "./shortage.ts";

/** The programs that make and enter a sandbox. Absolute. */
export interface SandboxPrograms {
  readonly bubblewrap: string;
  /** Of util-linux. */
  readonly nsenter: string;
}

/** Ends a process when this one ends, unless the returned function is called first. */
export type Watch = (pid: number) => () => void;

/** A sandbox could not be made. The message is a line without a full stop. */
class SandboxStartError extends Error {
  override readonly name = "SandboxStartError";
}

/** How processes of a sandbox start: apart from this one, out of reach of the terminal's Ctrl+C, each the leader of a group that is killed as a whole. */
export const APART = { cwd: "/", env: {}, detached: true } as const;

const DEADLINE_SECONDS = 10;

/** A kind of namespace, as `nsenter` names it. */
export type Namespace = "mount" | "net" | "ipc" | "uts";

/** A process that keeps something open, such as namespaces, until its input ends, and so at the latest with this process. */
export class Holder {
  readonly #process: Bun.Subprocess<"pipe", "pipe", "pipe">;
  /** Its first line of output. */
  readonly line: string;

  private constructor(started: Bun.Subprocess<"pipe", "pipe", "pipe">, line: string) {
    this.#process = started;
    this.line = line;
  }

  /**
   * Waits for the first line of the command, which has these open files from descriptor 3 on. Rejects with
   * `SandboxStartError`, `SandboxDeadlineError`, or the system's error.
   */
  static async start(command: readonly string[], watch: Watch, files: readonly number[] = []): Promise<Holder> {
    const started = Bun.spawn([...command], { ...APART, stdio: ["pipe", "pipe", "pipe", ...files] });
    started.unref();
    void started.exited.then(watch(started.pid));
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      started.kill("SIGKILL");
    }, 1000 * DEADLINE_SECONDS);
    const { value } = await started.stdout.getReader().read();
    clearTimeout(deadline);
    if (isLate) throw new SandboxDeadlineError(DEADLINE_SECONDS);
    if (value === undefined) throw new SandboxStartError(await endOf(started));
    return new Holder(started, new TextDecoder().decode(value).trimEnd());
  }

  get isOpen(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Never throws; may be called twice. */
  close(): void {
    this.#process.kill("SIGKILL");
  }
}

/** Shell that keeps the namespaces that it runs in; its first line is the number of its process. */
export const HOLDING = "echo $$ && read -r _";

/** Whether a holder that ran `HOLDING` still keeps its namespaces. That it was killed may not be known to this process yet. */
export const isHeld = (holder: Holder): boolean => holder.isOpen && existsSync(`/proc/${holder.line}/ns/mnt`);

/** The words before a command that run it in namespaces of a holder that ran `HOLDING`, with the rights to change them. */
export function entrance({ nsenter }: SandboxPrograms, holder: Holder, namespaces: readonly Namespace[]): string[] {
  const user = isRoot() ? [] : ["--user", "--preserve-credentials"];
  return [nsenter, "--target", holder.line, ...user, ...namespaces.map((name) => `--${name}`), "--"];
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/** An open file again, to be read from its beginning by a process that is started now; none without a file. Throws the file system's error. */
export function reopened(file: number | undefined): Disposable & { readonly descriptors: readonly number[] } {
  const descriptors = file === undefined ? [] : [openSync(`/proc/self/fd/${file}`, "r")];
  return { descriptors, [Symbol.dispose]: () => descriptors.forEach(closeSync) };
}

/** Why a process ended, in a line without a full stop. */
export async function endOf(started: Bun.Subprocess<"pipe", "pipe", "pipe">): Promise<string> {
  const [exitCode, complaint] = await Promise.all([started.exited, firstComplaint(started.stderr)]);
  const end = started.signalCode === null ? `exit code ${exitCode}` : `it was ended by signal ${started.signalCode}`;
  return complaint || end;
}
