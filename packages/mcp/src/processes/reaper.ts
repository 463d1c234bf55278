/** Reads "+ PID" and "- PID" until its input ends, then kills the process groups that are left. */
const KILL_WATCHED = `
live=
while read -r sign pid; do
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
  /** Appears in the system's list of processes. */
  readonly name: string;
  /** A shell script that runs after the processes were killed; it gets `args`. */
  readonly script?: string;
  readonly args?: readonly string[];
}

/**
 * Kills processes and cleans up after this process, even if this process is killed: a small shell, in a process group of
 * its own, that waits for the end of its input.
 */
export class Reaper {
  readonly #command: string[];
  #shell: Bun.Subprocess<"pipe", "ignore", "ignore"> | undefined;
  #isClosed = false;

  constructor({ name, script = "", args = [] }: ReaperOptions) {
    this.#command = ["/bin/sh", "-c", KILL_WATCHED + script, name, ...args];
  }

  /** Starts the shell, if it does not run yet. Does nothing after `close`: nobody would end it. */
  start(): void {
    if (this.#shell || this.#isClosed) return;
    this.#shell = Bun.spawn(this.#command, {
      cwd: "/",
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
      // Out of reach of signals to this process's group.
      detached: true,
    });
    this.#shell.unref();
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
    this.#isClosed = true;
    this.#shell = undefined;
    if (!shell) return;
    await Promise.resolve(shell.stdin.end()).catch(() => {});
    await shell.exited;
  }

  #send(line: string): void {
    const stdin = this.#shell?.stdin;
    if (!stdin) return;
    stdin.write(line);
    // The shell may have been killed.
    void Promise.resolve(stdin.flush()).catch(() => {});
  }
}

/** Kills a process that leads its own group, and all that it started in it. Does nothing if the group has ended. */
export function killGroup(leader: number): void {
  signalGroup(leader, "SIGKILL");
}

/** Sends a signal to a process that leads its own group, and to all that it started in it. Does nothing if the group has ended. */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (leader <= 1) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // The group has ended.
  }
}
