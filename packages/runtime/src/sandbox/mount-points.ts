import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isPlaceholder, PLACEHOLDER_TIME } from "@mdx-ai/parser";
import { attempt } from "../attempt.ts";
import { readWholeFile } from "../files/read-file.ts";
import { isRunning, processBirth } from "../files/running-process.ts";
import { jsonValue } from "../json-value.ts";
import { isRecord } from "../record.ts";
import { Reaper } from "./reaper.ts";
import { keepFolder, underLock } from "./run-folder.ts";

/**
 * Releases what a killed process held, as `MountPoints` does while the process lives. Its arguments: the agent directory, the
 * lock, the prefix of all markers of this agent directory, the own marker, the control group ("" if there is none), and the
 * paths of all placeholders. The lock is taken and freed as in run-folder.ts.
 */
const CLEAN_UP = `
for try in 1 2 3 4 5 6 7 8 9; do
  [ -d "$5" ] || break
  find "$5" -depth -type d -delete 2>/dev/null || sleep 0.05
done
[ -e "$4" ] || exit 0
lock=$2
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

interface MountPointsOptions {
  /** Absolute and real. */
  readonly agentDir: string;
  /** Where the user's sandboxes know of each other. Absolute. */
  readonly folder: string;
  /** The control group of the processes, which is removed when this process has ended. */
  readonly group?: string | undefined;
}

/**
 * The placeholders that the sandboxes of one agent directory mount over. They exist while any sandbox of any process of this
 * user needs them.
 */
export class MountPoints {
  readonly #agentDir: string;
  readonly #lock: string;
  readonly #prefix: string;
  readonly #folder: string;
  readonly #marker: string;
  readonly #reaper: Reaper;
  #holders = 0;

  constructor({ agentDir, folder, group = "" }: MountPointsOptions) {
    this.#agentDir = agentDir;
    this.#folder = folder;
    // Other versions of this program must find the same name.
    const name = new Bun.CryptoHasher("sha256").update(agentDir).digest("hex");
    this.#prefix = `${name}.held-`;
    this.#lock = join(folder, `${name}.lock`);
    this.#marker = join(folder, `${this.#prefix}${process.pid}-${crypto.randomUUID()}`);
    // It ends the sandboxes too: a bubblewrap whose parent dies while it starts may wait forever.
    this.#reaper = new Reaper({
      name: "mdx-ai",
      script: CLEAN_UP,
      args: [agentDir, this.#lock, join(folder, this.#prefix), this.#marker, group, ...PLACEHOLDER_PATHS],
    });
  }

  /** Holds the placeholders until the returned function, which never throws, is called. Throws the file system's error. */
  hold(): () => void {
    this.#reaper.start();
    this.#underLock(() => {
      if (this.#holders === 0) this.#mark();
      makePlaceholders(this.#agentDir);
    });
    this.#holders += 1;
    let held = true;
    return () => {
      if (held) this.#release();
      held = false;
    };
  }

  /** As `Reaper.watch`. */
  watch(pid: number): () => void {
    return this.#reaper.watch(pid);
  }

  /** Never rejects. */
  close(): Promise<void> {
    return this.#reaper.close();
  }

  #mark(): void {
    const holder = { pid: process.pid, birth: processBirth(process.pid) };
    writeFileSync(this.#marker, JSON.stringify(holder), { mode: 0o600 });
  }

  #release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    // If that fails, the reaper or the next holder removes them: the caller could do nothing about it.
    attempt(() =>
      this.#underLock(() => {
        rmSync(this.#marker, { force: true });
        this.#removeUnheld();
      }),
    );
  }

  #underLock(work: () => void): void {
    keepFolder(this.#folder);
    underLock(this.#lock, work);
  }

  #removeUnheld(): void {
    const markers = readdirSync(this.#folder).filter((name) => name.startsWith(this.#prefix));
    const isHeld = markers.map((name) => isLive(join(this.#folder, name))).includes(true);
    if (!isHeld) removePlaceholders(this.#agentDir);
  }
}

/** Whether the process that made a marker still runs; if not, the marker is removed. */
function isLive(marker: string): boolean {
  const holder = jsonValue(readWholeFile(marker).toString("utf8"));
  const { pid, birth } = isRecord(holder) ? holder : {};
  if (typeof pid === "number" && isRunning(pid, typeof birth === "string" ? birth : undefined)) return true;
  rmSync(marker, { force: true });
  return false;
}

/** Optional folders that define or record an agent: if one is absent, a sandbox must not create it either. */
const FOLDERS: readonly string[] = ["skills", "modules", "tools", "node_modules", ".git", "sessions", "logs", "state"];

/** Such files, each with a text that its readers treat as if the file were absent. */
const FILES: Readonly<Record<string, string>> = {
  "heartbeat.md": "",
  "AGENT.md": "",
  "package.json": "{}\n",
  "agent.lock.json": "",
  // With it, git would take the agent directory itself for a repository, whose settings name programs.
  HEAD: "",
  "state/agent-state.json": '{"version":1,"promptCount":0}\n',
  "state/memory.json": "[]\n",
  "state/usage.jsonl": "",
  "state/heartbeat.jsonl": "",
};

/** A folder comes before its contents. */
export const PLACEHOLDER_PATHS: readonly string[] = [...FOLDERS, ...Object.keys(FILES)];

/** Creates placeholders for what is absent. If the system lets this user create none, a sandbox can create nothing either. */
function makePlaceholders(agentDir: string): void {
  const made = PLACEHOLDER_PATHS.filter((path) => attempt(() => makePlaceholder(join(agentDir, path), FILES[path])));
  // Files created in a folder have changed its date.
  for (const path of made) if (FOLDERS.includes(path)) attempt(() => stamp(join(agentDir, path)));
}

/** Without a text it is a folder. Throws if the path exists already, or cannot be created. */
function makePlaceholder(path: string, text?: string): true {
  if (text === undefined) mkdirSync(path, { mode: 0o700 });
  else writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  stamp(path);
  return true;
}

const stamp = (path: string): void => utimesSync(path, PLACEHOLDER_TIME, PLACEHOLDER_TIME);

/** Removes the placeholders that are still unused. Never throws. */
function removePlaceholders(agentDir: string): void {
  const paths = PLACEHOLDER_PATHS.map((path) => join(agentDir, path));
  // If a folder has become a file, it contains none.
  const unused = paths.filter((path) => attempt(() => isPlaceholder(lstatSync(path))));
  // A folder may be in use, or another process may have removed one.
  for (const path of unused.toReversed())
    attempt(() => (lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path)));
}
