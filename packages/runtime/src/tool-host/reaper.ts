/** Reads "+ PID" and "- PID"; at the end of its input kills the process groups that are left. */
const SCRIPT = `
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
  kill -s KILL -- "-$pid"
done
`;

/**
 * Ends tool host processes when this process dies without ending them itself: one that spins would never see it.
 * A tiny shell, in a group of its own, that waits for its input to end.
 */
export class Reaper {
  readonly #name: string;
  #shell: ReaperShell | undefined;

  /** `name` shows in the system's list of processes. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Watches over the group of a process from now on. */
  watch(pid: number): void {
    this.#shell ??= startShell(this.#name);
    this.#write(`+ ${pid}\n`);
  }

  /** The process has ended. */
  forget(pid: number): void {
    this.#write(`- ${pid}\n`);
  }

  /** Ends the shell; what it still watches over is killed. Never rejects. */
  async close(): Promise<void> {
    const shell = this.#shell;
    this.#shell = undefined;
    if (!shell) return;
    await Promise.resolve(shell.stdin.end()).catch(() => {});
    await shell.exited;
  }

  #write(line: string): void {
    const stdin = this.#shell?.stdin;
    if (!stdin) return;
    stdin.write(line);
    // Somebody may have killed the shell; the processes then end by themselves unless they spin.
    void Promise.resolve(stdin.flush()).catch(() => {});
  }
}

type ReaperShell = Bun.Subprocess<"pipe", "ignore", "ignore">;

function startShell(name: string): ReaperShell {
  const shell = Bun.spawn(["/bin/sh", "-c", SCRIPT, name], {
    cwd: "/",
    env: {},
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  });
  shell.unref();
  return shell;
}
