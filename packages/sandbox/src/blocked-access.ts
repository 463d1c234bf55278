import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { foldersFrom } from "@mdx-ai/base";
import { isFileOrFolder, pathWithin, realPathOrSame } from "@mdx-ai/base/disk";
import type { SandboxAccess } from "@mdx-ai/loop";
import type { EndedCommand, SandboxRequest } from "./command-sandbox.ts";
import { type Mount, type Mounts, mountOf, mountPathOf, RESERVED } from "./mounts.ts";
import { namedPaths } from "./named-paths.ts";
import { allowanceOf, destinationOf } from "./network/allowed-hosts.ts";
import { isBridge } from "./network/bridge-environment.ts";
import { BUBBLEWRAP_PATH, PRIVATE_CACHES } from "./private-folders.ts";

/** What one command could see and reach. */
export interface CommandView {
  readonly purpose: SandboxRequest["purpose"];
  readonly hosts: "all" | readonly string[];
  /** Hosts that the proxy refused so far. */
  readonly refused: ReadonlySet<string>;
  /** Why requests got no key so far: lines without a full stop. */
  readonly problems: ReadonlySet<string>;
  readonly mounts: Mounts;
  /** Whether it may write to a workspace. */
  readonly hasWorkspace: boolean;
  /** Its working directory. Absolute. */
  readonly cwd: string;
}

/** A folder whose real contents are hidden from a command. */
export interface HiddenFolder {
  /** Absolute. */
  readonly path: string;
  /** Whether the sandbox has a writable folder of its own at this path. */
  readonly isOwn: boolean;
}

/**
 * The errors that programs print: a path cannot be written, cannot be replaced, does not exist, or exists already; nothing can be
 * signed; a download is not in a cache; or there is no network.
 */
const ERRORS = {
  readOnly: /Read-only file system|\bEROFS\b/i,
  busy: /Device or resource busy|\bEBUSY\b/i,
  absent: /No such file or directory|\bENOENT\b/i,
  taken: /Is a directory|\bEISDIR\b|File exists|\bEEXIST\b|Permission denied|\bEACCES\b/i,
  missing: /No such file or directory|\bENOENT\b|doesn't exist|does not exist|not found/i,
  unsigned: /gpg failed to sign|gpg: signing failed|unable to sign the tag|Couldn't (?:load|find|get) .*\bkey\b/i,
  socket: /Address family not supported|\bEAFNOSUPPORT\b/i,
  uncached:
    /\bENOTCACHED\b|has not been downloaded from it before|no cached version|not (?:found )?in (?:the |your )?(?:local )?cache|\boffline mode\b/i,
  network:
    /Temporary failure in name resolution|Network is unreachable|Connection refused|\bEAI_AGAIN\b|\bENETUNREACH\b|\bECONNREFUSED\b/i,
} as const;

/** How many lines, characters per line and paths are examined: a hostile output could make this slow. */
const MAX_LINES = 20;
const MAX_LINE = 2_000;
const MAX_PATHS = 1_000;

const WRITABLE: readonly (Mount["kind"] | undefined)[] = ["writable", "private"];

/** A file that is missing in a cache may never have been downloaded. */
const CACHES: readonly Mount[] = [...PRIVATE_CACHES.values()];

/**
 * The first access that the sandbox blocked: a host that the proxy refused, whatever the exit code; or, if the command failed, a
 * path named in its output that is read-only or hidden. Undefined if there is none.
 */
export function blockedAccess(ended: EndedCommand, view: CommandView): SandboxAccess | undefined {
  const [host] = refusedHosts(view);
  if (host !== undefined) return { kind: "host", host };
  if (!ended.hasFailed) return undefined;
  // A placeholder is not there for the user, so it cannot be granted.
  const [path] = readOnlyPaths(ended.output, view).filter((one) => view.mounts.get(one) !== RESERVED);
  if (path !== undefined) return { kind: "write", path };
  // A key, or the program that holds it, never comes into the sandbox; nor does a socket in the file system, which may be one.
  if (showsUnsigned(ended) || (ended.command !== undefined && showsNoSocket(ended.output)))
    return { kind: "outside", command: ended.command ?? "" };
  return hiddenFile(ended.output, view);
}

/** Whether a shell command failed to sign something. */
export const showsUnsigned = ({ command, output, hasFailed }: EndedCommand): boolean =>
  command !== undefined && hasFailed && ERRORS.unsigned.test(output);

/** Whether an output shows that a program could not make or use a socket in the file system. */
export const showsNoSocket = (output: string): boolean => ERRORS.socket.test(output);

/** The folders of caches, if the output of a command that failed shows that a download is in none of them. */
export const missedCaches = ({ output, hasFailed }: EndedCommand, { mounts }: CommandView): readonly string[] =>
  hasFailed && ERRORS.uncached.test(output)
    ? [...mounts].flatMap(([path, mount]) => (CACHES.includes(mount) ? [path] : []))
    : [];

/** The files that look empty to a command which names them; each once. */
export function emptyFiles({ command = "" }: EndedCommand, { cwd, mounts }: CommandView): readonly string[] {
  const isEmpty = (path: string): boolean => mounts.get(path)?.kind === "stand-in" && path !== BUBBLEWRAP_PATH;
  // A command may go to another folder first.
  const inOtherFolder = (path: string): readonly string[] => {
    const words = pathWithin(cwd, path) ?? basename(path);
    return words === "" ? [] : [...mounts.keys()].filter((one) => isEmpty(one) && one.endsWith(`/${words}`));
  };
  const named = allPaths(command.slice(0, MAX_LINES * MAX_LINE), cwd).slice(0, MAX_PATHS);
  return [...new Set(named.flatMap((path) => (isEmpty(path) ? [path] : inOtherFolder(path))))];
}

/** The refused hosts, in the form that `sandbox.network` lists them, without hosts that are reachable now. */
export function refusedHosts({ hosts, refused }: CommandView): readonly string[] {
  if (hosts === "all") return [];
  const isReached = (host: string): boolean => {
    const destination = destinationOf(host, 443);
    return destination !== undefined && allowanceOf(destination, hosts) !== undefined;
  };
  return [...refused].filter((host) => !isBridge(host) && !isReached(host));
}

/** The paths that an output names as read-only or as busy mounts, each once. */
export function readOnlyPaths(output: string, view: CommandView): readonly string[] {
  const isKept = (path: string): boolean => view.mounts.has(path);
  const readOnly = linesWith(ERRORS.readOnly, output).flatMap((line) => lastReadOnly(line, view) ?? []);
  const busy = linesWith(ERRORS.busy, output).flatMap((line) =>
    // Git names its files relative to the work tree, which may be a folder around the command's.
    foldersFrom(view.cwd).flatMap((cwd) => lastReadOnly(line, { ...view, cwd }) ?? []),
  );
  return [...new Set([...readOnly.map((path) => placeholderAround(path, view) ?? path), ...busy.filter(isKept)])];
}

function placeholderAround(path: string, { mounts }: CommandView): string | undefined {
  const place = mountPathOf(mounts, path);
  return place !== undefined && mounts.get(place) === RESERVED ? place : undefined;
}

/** The placeholders that an output names as folders because a command tried to create a file at or below them; each once. */
export function takenPaths(output: string, view: CommandView): readonly string[] {
  const named = linesWith(ERRORS.taken, output).flatMap((line) => allPaths(line, view.cwd));
  return [...new Set(named.flatMap((path) => placeholderAround(path, view) ?? []))];
}

export const showsReadOnly = (output: string): boolean => ERRORS.readOnly.test(output);

/** Whether an output shows that a program could not reach the network. */
export const showsNoNetwork = (output: string, { hosts }: CommandView): boolean =>
  hosts !== "all" && ERRORS.network.test(output);

/**
 * The hidden folder that contains the first path that an output names as absent. Does not check whether the path exists outside:
 * that stays hidden, too.
 */
export function hiddenFolder(output: string, { cwd, mounts }: CommandView): HiddenFolder | undefined {
  const paths = linesWith(ERRORS.absent, output).flatMap((line) => allPaths(line, cwd));
  const isMeant = (path: string): boolean => !isInCache(mounts, path) || isFileOrFolder(path);
  return paths.filter(isMeant).flatMap((path) => hiddenAround(mounts, realPathOrSame(path)) ?? [])[0];
}

/** The lines with an error, without a program name at their start. */
function linesWith(error: RegExp, output: string): readonly string[] {
  const lines = output.split("\n").filter((line) => error.test(line));
  return lines.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE).replace(/^\S+: /, ""));
}

function allPaths(text: string, cwd: string): readonly string[] {
  const { quoted, bare } = namedPaths(text, cwd);
  return [...quoted, ...bare];
}

/** Programs name a source before its target, and quote both or none. A word without a slash counts as a path if it exists. */
function lastReadOnly(line: string, { cwd, mounts }: CommandView): string | undefined {
  const isPath = (name: string): boolean => dirname(name) !== cwd || mounts.has(name) || existsSync(name);
  const isReadOnly = (path: string): boolean => !WRITABLE.includes(mountOf(mounts, path)?.kind);
  const lastOf = (names: readonly string[]): string | undefined =>
    names.filter(isPath).map(realPathOrSame).findLast(isReadOnly);
  const { quoted, bare } = namedPaths(line, cwd);
  return lastOf(quoted) ?? lastOf(bare);
}

/** The first existing file or folder that an output names and the sandbox hides. */
function hiddenFile(output: string, { cwd, mounts }: CommandView): SandboxAccess | undefined {
  // Programs name their caches in other messages, too.
  const missed = linesWith(ERRORS.missing, output).flatMap((line) => allPaths(line, cwd));
  for (const name of allPaths(output, cwd).slice(-MAX_PATHS)) {
    const path = realPathOrSame(name);
    if (isInCache(mounts, path) && !missed.includes(name)) continue;
    // The sandbox may show a file without the link that leads to it.
    const isHidden = [path, name].some((one) => hiddenAround(mounts, one) !== undefined);
    if (isHidden && isFileOrFolder(path)) return { kind: "read", path, ...(name !== path && { name }) };
  }
  return undefined;
}

function hiddenAround(mounts: Mounts, path: string): HiddenFolder | undefined {
  const place = mountPathOf(mounts, path);
  const mount = place === undefined ? undefined : mounts.get(place);
  if (place === undefined || mount === undefined) return undefined;
  if (mount.kind === "private") return { path: place, isOwn: true };
  return mount.kind === "hidden-folder" ? { path: place, isOwn: false } : undefined;
}

const isInCache = (mounts: Mounts, path: string): boolean => {
  const mount = mountOf(mounts, path);
  return mount !== undefined && CACHES.includes(mount);
};
