import { existsSync, mkdirSync, realpathSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, dataLayout } from "@mdx-ai/base";
import { pathWithin, realPlaceOrSame } from "@mdx-ai/base/disk";
import { Reaper } from "@mdx-ai/mcp/reaper";
import { definingPaths } from "../permissions/defining-files.ts";
import { ownPlaces } from "../permissions/secret-places.ts";
import type { SandboxOptions } from "./enclosure.ts";
import { HeldRoot, type ProtectedRoot } from "./held-root.ts";
import { MOVE_ASIDE, OF_AGENT } from "./move-aside.ts";

/**
 * Does for a killed process what `AbsentPaths` does while it lives. Its arguments, again and again: the folder with protected
 * paths, the folder for files set aside, the lock, the own marker, and the script that moves. The lock is taken and freed as in
 * run-folder.ts.
 */
const CLEAN_UP = `
while [ $# -gt 0 ]; do (
[ -e "$4" ] || exit 0
# What a sandbox contains dies a moment after it.
sleep 0.05
lock=$3
holder=reaper-\${4##*/}
draft=$lock.$holder
mkdir -m 700 "$draft"
until { true > "$draft/$holder"; } 2>/dev/null && mv -fT "$draft" "$lock" 2>/dev/null; do
  [ -d "$draft" ] || exit 0
  now=$(date +%s)
  for other in "$lock"/*; do
    age=$((now - $(stat -c %Y "$other" 2>/dev/null || echo "$now")))
    [ "\${age#-}" -gt 3 ] && rm -f "$other"
  done
  sleep 0.01
done
trap 'rm -f "$lock/$holder"; rmdir "$lock"' EXIT
{ read -r header; xargs -0 -r /bin/sh -c "$5" mdx-ai "$1" "$2"; } < "$4" 2>/dev/null
rm -f "$4"
)
shift 5
done
`;

/** A command that runs, or a process of a tool. */
export interface Held {
  /**
   * Sets aside the files created among the absent paths so far. Returns a line in brackets that says so; "" if there is nothing
   * to say. Never throws.
   */
  settle(): string;
  /** To be called when all its processes have ended. Never throws. */
  release(): void;
}

interface AbsentPathsOptions
  extends Pick<SandboxOptions, "agentDir" | "dataDir" | "definingFiles" | "environment" | "keeps"> {
  /** That of `runFolder`. */
  readonly folder: string;
  /** Receives a line if something was set aside that no result of a command reports. */
  readonly onMoved?: ((line: string) => void) | undefined;
  /** Folders other than the agent directory. */
  readonly roots?: readonly ProtectedRoot[] | undefined;
}

/**
 * The protected paths of an agent directory, and of a workspace, that do not exist. Nothing can be mounted over them, so a command can create them;
 * such files are set aside when it has ended: moved into the agent's data, out of reach of every sandbox.
 */
export class AbsentPaths {
  readonly #options: AbsentPathsOptions;
  readonly #agent: HeldRoot;
  readonly #others: readonly HeldRoot[];
  readonly #reaper: Reaper;
  /** For each command that runs, the moved files that are not yet reported. */
  readonly #lines = new Set<string[]>();
  /** Receives the files set aside. Absolute and real. */
  readonly asideDir: string;

  /** Throws the file system's error. */
  constructor(options: AbsentPathsOptions) {
    const { folder, roots = [] } = options;
    this.#options = options;
    this.#agent = new HeldRoot(agentRoot(options), folder);
    this.#others = roots.map((root) => new HeldRoot(root, folder));
    this.asideDir = this.#makeAsideDir();
    // It ends the sandboxes too: a bubblewrap whose parent dies while it starts may wait forever.
    this.#reaper = new Reaper({
      name: "mdx-ai",
      script: CLEAN_UP,
      args: this.#all().flatMap(({ markers: { agentDir, lock, own } }) => [
        ...[agentDir, this.asideDir, lock, own, MOVE_ASIDE],
      ]),
    });
  }

  /** Creates the files that the runtime writes while commands run, so that these find it read-only. Never throws. */
  makeRecords(): void {
    makeRecords(this.#options);
    attempt(() => mkdirSync(this.asideDir, { recursive: true, mode: 0o700 }));
  }

  /** The protected paths that do not exist now. Absolute. */
  absent(): readonly string[] {
    return this.#all().flatMap((root) => root.absent().map((path) => join(root.markers.agentDir, path)));
  }

  /** Notes the absent paths before a command begins. Throws the file system's error. */
  hold(): Held {
    this.#reaper.start();
    const isFirst = this.#lines.size === 0;
    this.#report([
      this.#agent.hold(this.asideDir, isFirst, () => this.makeRecords()),
      ...this.#others.map((root) => root.hold(this.asideDir, isFirst)),
    ]);
    const lines: string[] = [];
    this.#lines.add(lines);
    return { settle: () => this.#settle(lines, false), release: () => this.#release(lines) };
  }

  /** As `Reaper.watch`. */
  watch(pid: number): () => void {
    return this.#reaper.watch(pid);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await this.#reaper.close();
    // It stays if something is in it.
    if (this.#options.keeps === "nothing") attempt(() => rmdirSync(this.asideDir));
  }

  #all(): readonly HeldRoot[] {
    return [this.#agent, ...this.#others];
  }

  #settle(lines: string[], isLast: boolean): string {
    this.#report(this.#all().map((root) => root.settle(this.asideDir, isLast)));
    return lines.splice(0).join("\n");
  }

  #release(lines: string[]): void {
    if (!this.#lines.has(lines)) return;
    const line = this.#settle(lines, true);
    if (line !== "") this.#options.onMoved?.(line.replaceAll(/^\[|\]$/gm, ""));
    this.#lines.delete(lines);
    if (this.#lines.size > 0) return;
    for (const root of this.#all()) root.release();
  }

  /** Which of the commands that run created it cannot be known, so that all of them report it. */
  #report(moved: readonly string[]): void {
    for (const line of moved.filter(Boolean)) for (const lines of this.#lines) lines.push(`[the sandbox ${line}]`);
  }

  #makeAsideDir(): string {
    const { agentDir, dataDir = agentDir, keeps } = this.#options;
    if (keeps !== "nothing") {
      const path = join(dataLayout(dataDir).state, "set-aside");
      const made = attempt(() => mkdirSync(path, { recursive: true, mode: 0o700 }) ?? path);
      if (made !== undefined) return realpathSync.native(path);
    }
    return this.#agent.markers.asideDir();
  }
}

function agentRoot({ agentDir, definingFiles = [], environment }: AbsentPathsOptions): ProtectedRoot {
  const folder = realpathSync.native(agentDir);
  const own = ownPlaces(environment).flatMap((path) => pathWithin(folder, realPlaceOrSame(path)) ?? []);
  const paths = [...definingPaths(definingFiles), ...own];
  return { folder, kind: OF_AGENT, protectedPaths: () => paths };
}

/** Files of `state/` that the runtime writes while commands run, with contents that their readers treat as empty. */
const RECORDS: Readonly<Record<string, string>> = {
  "usage.jsonl": "",
  "heartbeat.jsonl": "",
  "memory.json": "[]\n",
  "agent-state.json": '{"version":1,"promptCount":0}\n',
};

/**
 * Creates the records that an agent keeps next to its definition: existing files are mounted read-only, so that no command can
 * forge it before the runtime writes it. If the system lets this user create none, a sandbox can create nothing either.
 */
function makeRecords({ agentDir, dataDir = agentDir, keeps = "all" }: AbsentPathsOptions): void {
  if (keeps === "nothing" || realPlaceOrSame(dataDir) !== realPlaceOrSame(agentDir)) return;
  const { sessions, logs, state, memoryFolder } = dataLayout(agentDir);
  const folders = keeps === "all" ? [sessions, logs, state, memoryFolder] : [state];
  for (const folder of folders.filter((path) => !existsSync(path))) attempt(() => mkdirSync(folder, { mode: 0o700 }));
  for (const [name, text] of Object.entries(RECORDS)) {
    const path = join(state, name);
    const isKept = keeps === "all" || name === "usage.jsonl";
    if (isKept && !existsSync(path)) attempt(() => writeFileSync(path, text, { flag: "wx", mode: 0o600 }));
  }
}
