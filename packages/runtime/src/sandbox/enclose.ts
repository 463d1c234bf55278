import { closeSync, constants, existsSync, lstatSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { isWithin, openedIdentity, openedPlace, PATH_ONLY, realPlace } from "../files/real-place.ts";
import { DATA_FOLDERS } from "../layout.ts";
import type { SandboxAccess } from "../types/permission.ts";
import { agentMounts } from "./agent-mounts.ts";
import { containmentNote } from "./containment-note.ts";
import type { Enclosure, EnclosureRequest, SandboxOptions } from "./enclosure.ts";
import { heldBack, type ShownEnd } from "./held-back.ts";
import { type Mount, type Mounts, mountArguments } from "./mounts.ts";
import { narrowedMounts } from "./narrowed-mounts.ts";
import { commandNetwork } from "./network/command-network.ts";
import { openedHosts, openedPlaces } from "./opened.ts";
import { emptyFile } from "./run-folder.ts";
import type { SandboxParts } from "./sandbox-parts.ts";
import { startInShell } from "./start-process.ts";
import { surroundingMounts } from "./surrounding-mounts.ts";

/** Below all mounts. */
const ROOT = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];

const TEMPORARY = ["TMPDIR", "TMP", "TEMP"];

/** The path of the modules in a compiled executable. */
const COMPILED = "/$bunfs/";

/** A place for one command in a sandbox, which is made if there is none that fits. Rejects with the system's error. */
export async function encloseIn(parts: SandboxParts, request: EnclosureRequest): Promise<Enclosure> {
  const { purpose } = request;
  const hosts = hostsOf(request, parts.options);
  const release = parts.hold();
  try {
    const mounts = mountsFor(request, parts);
    const stamp = stampOf(mounts.guarded);
    const network = await commandNetwork(hosts, parts);
    const warm = await parts.warm.of({
      mounts: [...ROOT, ...mountArguments(mounts.shown, parts.privateFolder), "--remount-ro", "/dev"],
      hosts,
      stamp,
      check: checkOf([...mounts.named, ...mounts.opened]),
      hasChannel: purpose !== "shell",
    });
    let forget = (): void => {};
    let cwd = "/";
    const held = (ended: ShownEnd): SandboxAccess | undefined =>
      heldBack({ ...ended, cwd, hosts, refused: [...network.refused], writable: mounts.opened });
    return {
      start: (start) => {
        const started = startInShell(warm.shell(), {
          ...start,
          environment: {
            ...start.environment,
            ...temporaryFolder(parts.options.environment),
            ...network.environment,
          },
        });
        forget = parts.mountPoints.watch(started.pid);
        cwd = start.cwd;
        setImmediate(() => warm.prepare());
        return started;
      },
      isCurrent: () => stampOf(mounts.guarded) === stamp,
      heldBack: held,
      noteOn: (ended) => containmentNote(ended.output, held(ended), { purpose, hosts }),
      release: () => {
        forget();
        network.release();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

interface MountPlan {
  readonly shown: Map<string, Mount>;
  /** The paths in the agent directory that must stay the same files. */
  readonly guarded: readonly string[];
  /** Those in it that a tool names and that others may replace meanwhile. */
  readonly named: readonly string[];
  /** Those that the user opened for writing. */
  readonly opened: readonly string[];
}

function mountsFor({ purpose, opened = [] }: EnclosureRequest, { options, agentDir, folder }: SandboxParts): MountPlan {
  const { cwd, environment, definingFiles = [] } = options;
  const ofAgent = agentMounts({ agentDir, definingFiles });
  const around = surroundingMounts({
    ...{ agentDir, agentPath: options.agentDir, cwd, environment },
    ...{ program: programPlaces(), emptyFile: emptyFile(folder), hidesVariables: purpose === "shell" },
  });
  const shown = new Map([...ofAgent, ...around]).set(agentDir, ofAgent.get(agentDir) ?? { kind: "read-only" });
  for (const folder of dataFolders(options.dataDir, shown)) shown.set(folder, { kind: "read-only" });
  const guarded = [...ofAgent.keys()];
  const writable = openedPlaces(opened, shown, agentDir);
  for (const place of writable) shown.set(place, { kind: "writable" });
  if (typeof purpose === "string" || purpose.files === undefined)
    return { shown, guarded, named: [], opened: writable };
  const { code, files } = purpose;
  const narrow = narrowedMounts(shown, { agentDir, cwd, environment, code, files, program: programPlaces() });
  const isNamed = ([place, { kind }]: readonly [string, Mount]): boolean =>
    (kind === "read-only" || kind === "writable") && isWithin(agentDir, place) && !ofAgent.has(place);
  return { shown: narrow, guarded, named: [...narrow].filter(isNamed).map(([place]) => place), opened: [] };
}

/** The folders of a data directory elsewhere that are visible: a tool that may write around them must not write in them. */
function dataFolders(dataDir: string | undefined, shown: Mounts): readonly string[] {
  if (dataDir === undefined) return [];
  const isVisible = (path: string): boolean => {
    const around = [...shown].filter(([place]) => isWithin(place, path)).toSorted(([a], [b]) => b.length - a.length);
    const kind = around[0]?.[1].kind ?? "read-only";
    return kind === "read-only" || kind === "writable";
  };
  return DATA_FOLDERS.map((name) => join(dataDir, name))
    .filter((path) => existsSync(path))
    .map(realPlace)
    .filter((path) => !shown.has(path) && isVisible(path));
}

/** The hosts that can be reached: all that the machine reaches, or a list. */
function hostsOf(
  { purpose, opened = [] }: EnclosureRequest,
  { policy, toolNetwork }: SandboxOptions,
): "all" | readonly string[] {
  if (purpose === "shell") {
    if (policy.network === "all") return "all";
    const listed = policy.network === "none" ? [] : policy.network;
    return [...new Set([...listed, ...openedHosts(opened)])];
  }
  if (toolNetwork === "none") return [];
  return (purpose === "prose" ? undefined : purpose.network) ?? "all";
}

const temporaryFolder = (environment: Environment): Record<string, string> =>
  Object.fromEntries(TEMPORARY.filter((name) => environment[name]).map((name) => [name, "/tmp"]));

/** Identifies the files at some paths: it changes when one of them is replaced. */
function stampOf(places: readonly string[]): string {
  return places.map((place) => lstatSync(place, { throwIfNoEntry: false })?.ino ?? 0).join();
}

/** What a process of this program must see: its executable, and its sources if it runs from source. */
function programPlaces(): readonly string[] {
  const { execPath } = process;
  if (import.meta.dir.startsWith(COMPILED)) return [execPath];
  // The sources are in one folder with the packages that they use.
  return [dirname(execPath), resolve(import.meta.dir, "../../../..")];
}

/** Fails unless each path is the expected file: `PATH DEVICE:INODE …`. */
const CHECK = `while [ $# -gt 0 ]; do
  if [ "$(stat -c %d:%i "$1")" != "$2" ]; then echo "$1 was replaced while a sandbox was made" >&2; exit 1; fi
  shift 2
done`;

/** A path led elsewhere when it was to be mounted. */
class SwappedPlaceError extends Error {
  override readonly name = "SwappedPlaceError";
}

/**
 * A command in a sandbox that fails unless the paths, absolute and real, are mounted from the files that they name now:
 * bubblewrap opens them by name, and another sandbox may put a link in their place meanwhile. Throws `SwappedPlaceError`, or
 * the file system's error.
 */
function checkOf(places: readonly string[]): string[] {
  if (places.length === 0) return [];
  return ["/bin/sh", "-c", CHECK, "sh", ...places.flatMap((place) => [place, identityOf(place)])];
}

function identityOf(place: string): string {
  const descriptor = openSync(place, PATH_ONLY | constants.O_NOFOLLOW);
  try {
    if (openedPlace(descriptor) !== place) {
      throw new SwappedPlaceError(`${place} was replaced while a sandbox was made`);
    }
    return openedIdentity(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
