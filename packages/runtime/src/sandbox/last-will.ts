/** Reads "+ PID" and "- PID" until its input ends, then kills the process groups that are left. */
const KILL_LEFT = `
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

export interface LastWillOptions {
  /** Shows in the system's list of processes. */
  readonly name: string;
  /** What a shell does in the end, beside ending processes; it gets `args`. */
  readonly script?: string;
  readonly args?: readonly string[];
}

/**
 * What becomes of processes and files where this process dies without seeing to them itself: a tiny shell, in a group of
 * its own, that waits for its input to end.
 */
export class LastWill {
  readonly #command: string[];
  #shell: Bun.Subprocess<"pipe", "ignore", "ignore"> | undefined;

  constructor({ name, script = "", args = [] }: LastWillOptions) {
    this.#command = ["/bin/sh", "-c", KILL_LEFT + script, name, ...args];
  }

  /** Stands by from now on. */
  start(): void {
    if (this.#shell) return;
    this.#shell = Bun.spawn(this.#command, {
      cwd: "/",
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
      // Out of reach of what kills this process's group.
      detached: true,
    });
    this.#shell.unref();
  }

  /** Has the group of a process killed where this process dies first, until what it gives is called. */
  watch(pid: number): () => void {
    this.start();
    this.#tell(`+ ${pid}\n`);
    return () => this.#tell(`- ${pid}\n`);
  }

  /** Ends the shell; what it still watches over is killed. Never rejects. */
  async close(): Promise<void> {
    const shell = this.#shell;
    this.#shell = undefined;
    if (!shell) return;
    await Promise.resolve(shell.stdin.end()).catch(() => {});
    await shell.exited;
  }

  #tell(line: string): void {
    const stdin = this.#shell?.stdin;
    if (!stdin) return;
    stdin.write(line);
    // Somebody may have killed the shell.
    void Promise.resolve(stdin.flush()).catch(() => {});
  }
}
