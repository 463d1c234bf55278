import { closeSync, constants, existsSync, lstatSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { isWithin, openedIdentity, openedPlace, PATH_ONLY, realPlace } from "../files/real-place.ts";
import { DATA_FOLDERS } from "../layout.ts";
import type { SandboxView } from "../types/sandbox.ts";
import { agentMounts } from "./agent-mounts.ts";
import { type AttachedStart, attachIn } from "./attached-process.ts";
import { containmentNote } from "./containment-note.ts";
import type { Encloser, Enclosure, EnclosureRequest, SandboxOptions } from "./enclosure.ts";
import type { SandboxPrograms } from "./holder.ts";
import { type Mount, type Mounts, mountArguments } from "./mounts.ts";
import { makeWrittenFolders, narrowedMounts } from "./narrowed-mounts.ts";
import { bridgeEnvironment } from "./network/bridge-environment.ts";
import { MOST_BYTES } from "./private-folders.ts";
import { hostsOf } from "./reachable-hosts.ts";
import { emptyFile } from "./run-folder.ts";
import { SandboxParts } from "./sandbox-parts.ts";
import { sandboxView } from "./sandbox-view.ts";
import { startInShell } from "./start-process.ts";
import { surroundingMounts } from "./surrounding-mounts.ts";

/** Below all mounts. */
const ROOT = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];

const TEMPORARY = ["TMPDIR", "TMP", "TEMP"];

/** The path of the modules in a compiled executable. */
const COMPILED = "/$bunfs/";

/** Makes sandboxes with bubblewrap. Throws the file system's error. */
export function openEncloser(options: SandboxOptions, programs: SandboxPrograms): Encloser {
  const parts = new SandboxParts(options, programs);
  const processes = parts.limit.most;
  return {
    privateBytes: MOST_BYTES,
    ...(processes !== undefined && { processes }),
    enclose: (request) => encloseIn(parts, request),
    view: (request) => viewIn(parts, request),
    close: () => parts.close(),
  };
}

/** A place for one command in a sandbox, which is made if there is none that fits. Rejects with the system's error. */
async function encloseIn(parts: SandboxParts, request: EnclosureRequest): Promise<Enclosure> {
  const { purpose } = request;
  const hosts = hostsOf(request, parts.options);
  const release = parts.hold();
  try {
    if (typeof purpose !== "string" && purpose.files) makeWrittenFolders(parts.agentDir, purpose.files);
    const mounts = mountsFor(request, parts);
    const stamp = stampOf(mounts.guarded);
    const warm = await parts.warm.of({
      mounts: [...ROOT, ...mountArguments(mounts.shown, parts.privateFolder), "--remount-ro", "/dev"],
      hosts,
      stamp,
      check: checkOf(mounts.named),
      hasChannel: purpose !== "shell",
    });
    let forget = (): void => {};
    const variables = {
      ...temporaryFolder(parts.options.environment),
      ...(hosts !== "all" && hosts.length > 0 && bridgeEnvironment(hosts)),
    };
    const inside = <Start extends AttachedStart>(start: Start): Start => ({
      ...start,
      environment: { ...start.environment, ...variables },
    });
    return {
      start: (start) => {
        const started = startInShell(warm.shell(), inside(start));
        forget = parts.mountPoints.watch(started.pid);
        setImmediate(() => warm.prepare());
        return started;
      },
      attach: (start) => attachIn(warm, parts.folder, inside(start)),
      isCurrent: () => stampOf(mounts.guarded) === stamp,
      noteOn: (output) => containmentNote(output, { purpose, hosts }),
      release: () => {
        forget();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** What a sandbox for a request allows, found without making one. Throws the file system's error. */
function viewIn(parts: SandboxParts, request: EnclosureRequest): SandboxView {
  const release = parts.hold();
  try {
    return sandboxView(request, parts.options, mountsFor(request, parts).shown);
  } finally {
    release();
  }
}

/**
 * The mounts; the paths in the agent directory that must stay the same files; and those in it that a tool names and that others
 * may replace meanwhile.
 */
export function mountsFor(
  { purpose }: EnclosureRequest,
  { options, agentDir, folder }: Pick<SandboxParts, "options" | "agentDir" | "folder">,
): { readonly shown: Map<string, Mount>; readonly guarded: readonly string[]; readonly named: readonly string[] } {
  const { cwd, environment, definingFiles = [] } = options;
  const ofAgent = agentMounts({ agentDir, definingFiles });
  const around = surroundingMounts({
    ...{ agentDir, agentPath: options.agentDir, cwd, environment },
    ...{ program: programPlaces(), emptyFile: emptyFile(folder), hidesVariables: purpose === "shell" },
  });
  const shown = new Map([...ofAgent, ...around]).set(agentDir, ofAgent.get(agentDir) ?? { kind: "read-only" });
  for (const folder of dataFolders(options.dataDir, shown)) shown.set(folder, { kind: "read-only" });
  const guarded = [...ofAgent.keys()];
  if (typeof purpose === "string" || purpose.files === undefined) return { shown, guarded, named: [] };
  const { code, files } = purpose;
  const narrow = narrowedMounts(shown, { agentDir, cwd, environment, code, files, program: programPlaces() });
  const isNamed = ([place, { kind }]: readonly [string, Mount]): boolean =>
    (kind === "read-only" || kind === "writable") && isWithin(agentDir, place) && !ofAgent.has(place);
  return { shown: narrow, guarded, named: [...narrow].filter(isNamed).map(([place]) => place) };
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
