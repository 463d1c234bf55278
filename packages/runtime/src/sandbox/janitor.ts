import { PLACEHOLDER_TIME } from "@mdx-ai/parser";
import { ABSENT_PLACES } from "./absent-places.ts";

/** What the janitor of an agent directory must know. All absolute. */
export interface JanitorPlaces {
  readonly agentDir: string;
  readonly lock: string;
  /** Of all markers of this agent directory, and the own one. */
  readonly prefix: string;
  readonly marker: string;
  /** The control group of the processes, to be removed; "" where there is none. */
  readonly group: string;
}

/**
 * Reads "+ PID" and "- PID" until its input ends, which is when the process that started it is gone; then kills the process
 * groups that are left, since a bubblewrap whose parent dies while it begins may wait for ever, and removes the placeholders
 * that the process held, unless another living one holds them, too. The same that `MountPoints` does, for when it cannot.
 */
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
  kill -s KILL -- "-$pid" 2>/dev/null
done
for try in 1 2 3 4 5 6 7 8 9; do
  [ -d "$5" ] || break
  find "$5" -depth -type d -delete 2>/dev/null || sleep 0.05
done
[ -e "$4" ] || exit 0
lock=$2
tries=0
until mkdir "$lock" 2>/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -gt 300 ] && break
  sleep 0.01
done
trap 'rmdir "$lock"' EXIT
rm -f "$4"
for marker in "$3"*; do
  [ -e "$marker" ] || continue
  pid=\${marker#"$3"}
  if [ -d "/proc/\${pid%%-*}" ]; then exit 0; fi
  rm -f "$marker"
done
cd "$1" || exit 0
shift 5
left=
for path do
  [ -L "$path" ] || [ "$(stat -c %Y "$path" 2>/dev/null)" != ${PLACEHOLDER_TIME} ] || left="$path $left"
done
for path in $left; do
  if [ -d "$path" ]; then rmdir "$path"; else rm -f "$path"; fi
done 2>/dev/null
`;

/** Cleans up after a process that is killed. */
export class Janitor {
  readonly #places: JanitorPlaces;
  #shell: Bun.Subprocess<"pipe", "ignore", "ignore"> | undefined;

  constructor(places: JanitorPlaces) {
    this.#places = places;
  }

  /** Stands by from now on. */
  start(): void {
    if (this.#shell) return;
    const { agentDir, lock, prefix, marker, group } = this.#places;
    const absent = ABSENT_PLACES.map(({ path }) => path);
    this.#shell = Bun.spawn(["/bin/sh", "-c", SCRIPT, "mdx-ai", agentDir, lock, prefix, marker, group, ...absent], {
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
    this.#tell(`+ ${pid}\n`);
    return () => this.#tell(`- ${pid}\n`);
  }

  /** Ends it. Never rejects. */
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
    // Somebody may have killed it.
    void Promise.resolve(stdin.flush()).catch(() => {});
  }
}
