import { closeSync, constants, existsSync, lstatSync, openSync } from "node:fs";
import { release as kernelRelease } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { isWithin, openedIdentity, openedPlace, PATH_ONLY, realPlace, realPlaceOrSame } from "../files/real-place.ts";
import { DATA_FOLDERS } from "../layout.ts";
import { agentMounts } from "./agent-mounts.ts";
import type { Enclosure, EnclosureRequest, SandboxOptions } from "./enclosure.ts";
import { hideContents } from "./hidden-contents.ts";
import { MountDraft } from "./mount-draft.ts";
import { type Mount, type Mounts, mountArguments } from "./mounts.ts";
import { namedPlaces, narrowedMounts } from "./narrowed-mounts.ts";
import { BRIDGE, bridgeEnvironment } from "./network/proxy-socket.ts";
import { DEVICES } from "./private-folders.ts";
import { limitedCommand, processBound } from "./process-limits.ts";
import { emptyFile } from "./run-folder.ts";
import type { SandboxParts } from "./sandbox-parts.ts";
import { surroundingMounts } from "./surrounding-mounts.ts";

/** Options of every sandbox. */
const ISOLATION = [
  ...DEVICES,
  ..."--proc /proc --unshare-pid --unshare-ipc --unshare-uts --new-session --die-with-parent --cap-drop ALL".split(" "),
];

/** Capabilities that root needs for the files of other users; none of them leads out of a sandbox. */
const ROOT_CAPABILITIES = ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN", "CAP_FSETID"].flatMap((name) => [
  "--cap-add",
  name,
]);

/** Folders of /proc by which root, even without capabilities, configures the kernel: a program that the kernel starts runs outside. */
const KERNEL_SETTINGS = "sys sysrq-trigger irq bus fs acpi asound driver dynamic_debug scsi"
  .split(" ")
  .flatMap((name) => ["--ro-bind-try", `/proc/${name}`, `/proc/${name}`]);

const TEMPORARY = ["TMPDIR", "TMP", "TEMP"];

/** The path of the modules in a compiled executable. */
const COMPILED = "/$bunfs/";

/** Makes a sandbox for one command. Rejects with the system's error. */
export async function encloseIn(parts: SandboxParts, request: EnclosureRequest): Promise<Enclosure> {
  const hosts = hostsOf(request, parts.options);
  const socket = hosts === "all" || hosts.length === 0 ? undefined : await parts.proxyTo(hosts);
  const release = parts.hold();
  let forget = (): void => {};
  try {
    const mounts = mountsFor(request, parts);
    if (socket !== undefined) mounts.shown.set(socket, { kind: "read-only" });
    const bubblewrap = bubblewrapCommand(parts.program, mounts.shown, hosts);
    const bridge =
      socket !== undefined && request.purpose === "shell" ? [...parts.options.toolHostCommand, BRIDGE] : [];
    const { kibibytes } = request;
    const { entrance } = parts.limit;
    const stamp = stampOf(mounts.guarded);
    const inside = [...samePlaces(mounts.named), ...bridge];
    return {
      command: (command) => limitedCommand([...bubblewrap, ...inside, ...command], { kibibytes, entrance }),
      environment: {
        ...temporaryFolder(parts.options.environment),
        ...(socket !== undefined && hosts !== "all" && bridgeEnvironment(socket, hosts)),
      },
      isCurrent: () => stampOf(mounts.guarded) === stamp,
      noteOn: (output) => containmentNote(output, { purpose: request.purpose, hosts }),
      started: (pid) => {
        forget = parts.mountPoints.watch(pid);
      },
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

/**
 * The mounts; the paths in the agent directory that must stay the same files; and the others in what is
 * writable, which another sandbox may replace meanwhile.
 */
function mountsFor(
  { purpose }: EnclosureRequest,
  { options, agentDir, folder }: SandboxParts,
): { readonly shown: Map<string, Mount>; readonly guarded: readonly string[]; readonly named: readonly string[] } {
  const { cwd, environment, definingFiles = [], policy } = options;
  const { read = [], write = [] } = policy;
  const ofAgent = agentMounts({ agentDir, definingFiles });
  const program = programPlaces();
  const around = surroundingMounts({
    ...{ agentDir, agentPath: options.agentDir, cwd, environment, read, write },
    ...{ program, emptyFile: emptyFile(folder), accounts: options.accounts ?? "/etc/passwd" },
  });
  const shown = new Map([...ofAgent, ...around]).set(agentDir, ofAgent.get(agentDir) ?? { kind: "read-only" });
  const tool = typeof purpose === "string" || purpose.files === undefined ? undefined : purpose;
  const named = tool?.files && namedPlaces(agentDir, tool.files);
  const draft = new MountDraft(shown, emptyFile(folder));
  draft.hold(dirname(agentDir));
  for (const folder of dataFolders(options.dataDir, shown)) draft.protect(folder);
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
  const ofOthers = [...mounts].filter(isNamed).map(([place]) => place);
  return { shown: mounts, guarded: [...ofAgent.keys()], named: ofOthers };
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

function bubblewrapCommand(program: string, mounts: Mounts, hosts: "all" | readonly string[]): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    ...[program, "--ro-bind", "/", "/", ...mountArguments(mounts), ...ISOLATION],
    ...(isRoot ? [...KERNEL_SETTINGS, ...ROOT_CAPABILITIES] : []),
    ...(hosts === "all" ? [] : ["--unshare-net"]),
    ...["--", ...(isRoot ? [] : processBound(kernelRelease()))],
  ];
}

/** The hosts that can be reached: all that the machine reaches, or a list. */
function hostsOf({ purpose }: EnclosureRequest, { policy, toolNetwork }: SandboxOptions): "all" | readonly string[] {
  if (purpose === "shell") return policy.network === "none" ? [] : policy.network;
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

/** Runs a command if each path is the expected file: `PATH DEVICE:INODE … -- COMMAND`. */
const CHECK = `while [ "$1" != -- ]; do
  if [ "$(stat -c %d:%i "$1")" != "$2" ]; then echo "$1 was replaced while a sandbox was made" >&2; exit 1; fi
  shift 2
done
shift
exec "$@"`;

/** A path led elsewhere when it was to be mounted. */
class SwappedPlaceError extends Error {
  override readonly name = "SwappedPlaceError";
}

/**
 * The words before a command in a sandbox that let it run only if the paths, absolute and real, are mounted from the files that
 * they name now: bubblewrap opens them by name, and another sandbox may put a link in their place meanwhile. Throws
 * `SwappedPlaceError`, or the file system's error.
 */
function samePlaces(places: readonly string[]): string[] {
  if (places.length === 0) return [];
  return ["/bin/sh", "-c", CHECK, "sh", ...places.flatMap((place) => [place, identityOf(place)]), "--"];
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

/** What programs write when a file cannot be written. */
const READ_ONLY = /: Read-only file system\b|\bEROFS\b|\[Errno 30\]/i;

/** What programs write when there is no network, or when the proxy refused a host. */
const NO_NETWORK =
  /Could not resolve|unable to resolve host|Temporary failure in name resolution|EAI_AGAIN|Network is unreachable|CONNECT tunnel failed, response 403|Proxy refused to open a tunnel: 403|Connection refused|ECONNREFUSED|Couldn't connect to server/i;

/** The purpose of a sandbox, and the hosts that can be reached from it. */
interface Contained {
  readonly purpose: EnclosureRequest["purpose"];
  readonly hosts: "all" | readonly string[];
}

/**
 * Lines in brackets that say what the sandbox allows, if an output shows that the sandbox held something back; else "".
 * Programs write "Read-only file system" and do not know of a sandbox; without these lines the model and the user would not
 * either.
 */
function containmentNote(output: string, { purpose, hosts }: Contained): string {
  const notes = [
    ...(READ_ONLY.test(output) ? [writingNote(purpose)] : []),
    ...(hosts !== "all" && NO_NETWORK.test(output) ? [networkNote(purpose, hosts)] : []),
  ];
  return notes.map((note) => `[the sandbox ${note}]`).join("\n");
}

function writingNote(purpose: Contained["purpose"]): string {
  if (typeof purpose !== "string" && purpose.files !== undefined) {
    return "lets this tool write only what its `files` names, and /tmp";
  }
  const what = "only to /tmp and to the agent directory, except what defines or records the agent";
  return purpose === "shell"
    ? `lets commands write ${what}; write_file can ask the user for other places`
    : `lets tools write ${what}`;
}

function networkNote(purpose: Contained["purpose"], hosts: readonly string[]): string {
  const reach = hosts.length === 0 ? "no network, nor services of this machine" : `only ${hosts.join(", ")}`;
  return purpose === "shell"
    ? `lets commands reach ${reach}; the setting sandbox.network names hosts`
    : `lets this tool reach ${reach}`;
}
