import { closeSync, constants, existsSync, lstatSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { isWithin, openedIdentity, openedPlace, PATH_ONLY, realPlace, realPlaceOrSame } from "../files/real-place.ts";
import { DATA_FOLDERS } from "../layout.ts";
import type { SandboxAccess } from "../types/permission.ts";
import { agentMounts } from "./agent-mounts.ts";
import { containmentNote } from "./containment-note.ts";
import type { Enclosure, EnclosureRequest, SandboxOptions } from "./enclosure.ts";
import { heldBack, type ShownEnd } from "./held-back.ts";
import { hideContents } from "./hidden-contents.ts";
import { MountDraft } from "./mount-draft.ts";
import { type Mount, type Mounts, mountArguments, privateLinks } from "./mounts.ts";
import { namedPlaces, narrowedMounts } from "./narrowed-mounts.ts";
import { commandNetwork } from "./network/command-network.ts";
import { openedHosts, openedPlaces } from "./opened.ts";
import { devices, LAUNCHER } from "./private-folders.ts";
import { emptyFile } from "./run-folder.ts";
import type { SandboxParts } from "./sandbox-parts.ts";
import { shellQuoted } from "./shell-script.ts";
import { startInShell } from "./start-process.ts";
import { surroundingMounts } from "./surrounding-mounts.ts";
import type { WarmSandbox } from "./warm-sandbox.ts";

/** Below all mounts. */
const ROOT = ["--ro-bind", "/", "/", "--proc", "/proc"];

/** Where the launcher is in a sandbox. */
const LAUNCHER_PLACE = "/run/mdx-ai-launcher";

/** The words before a command inside that let it change and write to only what is writable or its own. */
function launching(mounts: Mounts): readonly string[] {
  const writable = [...mounts].flatMap(([path, { kind }]) => (kind === "writable" || kind === "private" ? [path] : []));
  return [LAUNCHER_PLACE, ...writable, "/dev", "/proc", "--"];
}

const TEMPORARY = ["TMPDIR", "TMP", "TEMP"];

/** The path of the modules in a compiled executable. */
const COMPILED = "/$bunfs/";

/** A place for one command in a sandbox, which is made if there is none that fits. Rejects with the system's error. */
export async function encloseIn(parts: SandboxParts, request: EnclosureRequest): Promise<Enclosure> {
  const held = parts.hold();
  try {
    const { warm, hosts, guarded, stamp, opened } = await sandboxFor(parts, request);
    const network = await commandNetwork(hosts, parts);
    const variables = { ...temporaryFolder(parts.options.environment), ...network.environment };
    let forget = (): void => {};
    let cwd = "/";
    const barrier = (ended: ShownEnd): SandboxAccess | undefined =>
      heldBack({ ...ended, cwd, hosts, refused: [...network.refused], writable: opened });
    return {
      start: (start) => {
        const environment = { ...start.environment, ...variables };
        const started = startInShell(warm.shell(), { ...start, environment });
        forget = parts.absentPaths.watch(started.pid);
        cwd = start.cwd;
        setImmediate(() => warm.prepare());
        return started;
      },
      isCurrent: () => stampOf(guarded) === stamp,
      heldBack: barrier,
      noteOn: (ended) => containmentNote(ended.output, barrier(ended), { purpose: request.purpose, hosts }),
      settle: held.settle,
      release: () => {
        forget();
        network.release();
        held.release();
      },
    };
  } catch (error) {
    held.release();
    throw error;
  }
}

/**
 * Why no command can run in the sandbox of the shell, in a line without a full stop; undefined if one can. Rejects with the
 * system's error.
 */
export async function trialProblem(parts: SandboxParts): Promise<string | undefined> {
  parts.warm.prepare();
  // The first command finds the same sandbox.
  parts.absentPaths.makeRecords();
  const { warm } = await sandboxFor(parts, { purpose: "shell" });
  return warm.trialProblem();
}

/** A sandbox, and what it protects. */
interface FittingSandbox {
  readonly warm: WarmSandbox;
  readonly hosts: "all" | readonly string[];
  /** Paths in the agent directory that must stay the same files, and what identifies these. */
  readonly guarded: readonly string[];
  readonly stamp: string;
  /** Paths that the user opened for this command. */
  readonly opened: readonly string[];
}

async function sandboxFor(parts: SandboxParts, request: EnclosureRequest): Promise<FittingSandbox> {
  const hosts = hostsOf(request, parts.options);
  const { shown, guarded, named, opened } = mountsFor(request, parts);
  if (parts.hasLauncher) shown.set(LAUNCHER_PLACE, { kind: "stand-in", source: join(parts.privateFolder, LAUNCHER) });
  const stamp = stampOf(guarded);
  const warm = await parts.warm.of({
    mounts: [...ROOT, ...mountArguments(shown, parts.privateFolder), ...devices(parts.privateFolder)],
    ...{
      hosts,
      stamp,
      prelude: [...linking(shown), ...checking([...named, ...opened])],
      inside: parts.hasLauncher ? launching(shown) : [],
    },
    hasChannel: request.purpose !== "shell",
  });
  return { warm, hosts, guarded, stamp, opened };
}

interface MountPlan {
  readonly shown: Map<string, Mount>;
  /** The paths in the agent directory that must stay the same files. */
  readonly guarded: readonly string[];
  /** The others in what is writable, which another sandbox may replace meanwhile. */
  readonly named: readonly string[];
  /** Those that the user opened for writing. */
  readonly opened: readonly string[];
}

function mountsFor({ purpose, opened = [] }: EnclosureRequest, parts: SandboxParts): MountPlan {
  const { options, agentDir, folder, absentPaths } = parts;
  const { cwd, environment, definingFiles = [], policy } = options;
  const openedForWriting = openedPlaces(opened, agentDir);
  const { read } = policy;
  const write = [...policy.write, ...openedForWriting];
  const ofAgent = agentMounts({ agentDir, definingFiles });
  const program = programPlaces();
  const around = surroundingMounts({
    ...{ agentDir, agentPath: options.agentDir, cwd, environment, read, write: policy.write, opened: openedForWriting },
    ...{ program, emptyFile: emptyFile(folder), accounts: options.accounts ?? "/etc/passwd" },
  });
  const shown = new Map([...ofAgent, ...around]).set(agentDir, ofAgent.get(agentDir) ?? { kind: "read-only" });
  const tool = typeof purpose === "string" || purpose.files === undefined ? undefined : purpose;
  const named = tool?.files && namedPlaces(agentDir, tool.files);
  const draft = new MountDraft(shown, emptyFile(folder));
  draft.hold(dirname(agentDir));
  for (const folder of dataFolders(options.dataDir, shown)) draft.protect(folder);
  draft.hide(absentPaths.asideDir);
  hideContents(draft, {
    ...{ agentDir, dataDir: options.dataDir ?? agentDir, program, denied: options.denied?.() },
    folders: [realPlaceOrSame(cwd), ...read, ...write],
    named: [...read, ...write, ...(named?.read ?? []), ...(named?.written ?? [])],
    code: purpose === "shell" ? [] : definingFiles.map((file) => realPlaceOrSame(join(agentDir, file))),
    onWarning: options.onWarning ?? (() => {}),
  });
  const mounts =
    tool && named ? narrowedMounts(draft, { agentDir, cwd, environment, code: tool.code, named, program }) : shown;
  const isOpen = (place: string): boolean =>
    [agentDir, ...write].some((folder) => folder !== place && isWithin(folder, place)) && !ofAgent.has(place);
  const isNamed = ([place, { kind }]: readonly [string, Mount]): boolean =>
    (kind === "read-only" || kind === "writable") && isOpen(place);
  // Nothing opens what is hidden.
  const isOpened = (place: string): boolean => mounts.get(place)?.kind === "writable";
  const ofOthers = [...mounts].filter(isNamed).map(([place]) => place);
  return { shown: mounts, guarded: [...ofAgent.keys()], named: ofOthers, opened: openedForWriting.filter(isOpened) };
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
  return [execPath, resolve(import.meta.dir, "../../../..")];
}

/** A path led elsewhere when it was to be mounted. */
class SwappedPlaceError extends Error {
  override readonly name = "SwappedPlaceError";
}

/**
 * Lines of shell that fail in a sandbox unless the paths, absolute and real, are mounted from the files that they name now:
 * bubblewrap opens them by name, and another sandbox may put a link in their place meanwhile. Throws `SwappedPlaceError`, or
 * the file system's error.
 */
function checking(places: readonly string[]): readonly string[] {
  if (places.length === 0) return [];
  const expected = places.map((place) => `${identityOf(place)} ${place}\n`).join("");
  const complaint = "echo a file was replaced while a sandbox was made >&2";
  const found = `$(stat -c '%d:%i %n' -- ${places.map(shellQuoted).join(" ")}; echo .)`;
  return [`{ [ "${found}" = ${shellQuoted(`${expected}.`)} ] || { ${complaint}; false; }; }`];
}

/** Lines of shell that make the links that bubblewrap does not make. */
const linking = (mounts: Mounts): readonly string[] =>
  privateLinks(mounts).map(({ path, target }) => {
    const [folder, name] = [shellQuoted(dirname(path)), shellQuoted(path)];
    return `mkdir -p -- ${folder} && ln -sfn -- ${shellQuoted(target)} ${name}`;
  });

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
