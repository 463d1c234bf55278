import { closeSync, existsSync, writeSync } from "node:fs";
import { attempt } from "@mdx-ai/base";

const SHELL = "/bin/sh";

/** Its end of the descriptor that this process, and processes that report themselves, write to. */
const INPUT = 3;

/** Reads "+ PID" and "- PID" until its input ends, then kills the remaining process groups. */
const KILL_WATCHED = `
live=
while read -r sign pid <&${INPUT}; do
  kept=
  for other in $live; do
    [ "$other" = "$pid" ] || kept="$kept $other"
  done
  live=$kept
  [ "$sign" = + ] && live="$live $pid"
done
for pid in $live; do
  kill -s KILL -- "-$pid" 2>/dev/null
done
`;

export interface ReaperOptions {
  /** Shown in the system's list of processes. */
  readonly name: string;
  /** A shell script that runs after the processes were killed, with `args`. */
  readonly script?: string;
  readonly args?: readonly string[];
}

/**
 * Kills processes and cleans up after this process, even if this process is killed: a small shell in a separate process group that waits
 * for the end of its input.
 */
export class Reaper {
  readonly #command: string[];
  #shell: Bun.Subprocess<"ignore", "ignore", "ignore"> | undefined;
  #isClosed = false;

  constructor({ name, script = "", args = [] }: ReaperOptions) {
    this.#command = [SHELL, "-c", KILL_WATCHED + script, name, ...args];
  }

  /**
   * Starts the shell unless it is running. Does nothing after `close`, since nothing would stop it then, and where there is no shell, as in a
   * container that has nothing but one executable.
   */
  start(): void {
    if (this.#shell || this.#isClosed || !existsSync(SHELL)) return;
    this.#shell = Bun.spawn(this.#command, {
      cwd: "/",
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      stdio: ["ignore", "ignore", "ignore", "socket-fd"],
      // Signals to this process's group must not reach it.
      detached: true,
    });
    this.#shell.unref();
  }

  /**
   * The descriptor to which a process that leads its group writes `+ PID` before it does anything else: so no moment is left in which this
   * process could be killed and that one lives on. Undefined while the shell does not run.
   */
  get descriptor(): number | undefined {
    return this.#shell?.stdio[INPUT] ?? undefined;
  }

  /** Kills the group of a process when this process ends, unless the returned function is called first; at once after `close`. */
  watch(pid: number): () => void {
    if (this.#isClosed) killGroup(pid);
    this.start();
    this.#send(`+ ${pid}\n`);
    return () => this.#send(`- ${pid}\n`);
  }

  /** Kills the processes that are still watched, runs the script and ends the shell. Never rejects. */
  async close(): Promise<void> {
    const shell = this.#shell;
    const { descriptor } = this;
    this.#isClosed = true;
    this.#shell = undefined;
    if (descriptor !== undefined) attempt(() => closeSync(descriptor));
    await shell?.exited;
  }

  #send(line: string): void {
    const { descriptor } = this;
    // The shell may have been killed.
    if (descriptor !== undefined) attempt(() => writeSync(descriptor, line));
  }
}

/** Kills the process group of `leader`. Does nothing if the group has ended. */
export function killGroup(leader: number): void {
  signalGroup(leader, "SIGKILL");
}

/** Sends a signal to the process group of `leader`. Does nothing if the group has ended. */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (leader <= 1) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // The group has ended.
  }
}
