import type { SandboxAccess } from "../types/permission.ts";
import { isReached, namedHosts, showsNoNetwork, unnamedHost } from "./held-back-host.ts";
import { namedPaths, showsReadOnly } from "./held-back-path.ts";
import { isBridge } from "./network/bridge-environment.ts";

/** The output of a command that has ended. */
export interface ShownEnd {
  readonly output: string;
  /** The shell text; "" for a tool of agent.mdx. */
  readonly command: string;
  /** Null if it is not known. */
  readonly exitCode: number | null;
}

/** A command that has ended, and the access that its sandbox allowed. */
export interface EndedCommand extends ShownEnd {
  /** The folder in which it began. Absolute. */
  readonly cwd: string;
  readonly hosts: "all" | readonly string[];
  /** Hosts that the proxy refused meanwhile. */
  readonly refused: readonly string[];
  /** Whether it could write an absolute and real path. */
  readonly isWritable: (path: string) => boolean;
  /** The file or folder that it missed because the sandbox hides it; undefined if there is none. */
  readonly missed?: SandboxAccess | undefined;
}

/** The messages of programs when the kernel or the sandbox refuses something that is neither a host nor a file. */
const REFUSED: readonly RegExp[] = [
  /Cannot connect to the Docker daemon at unix:|"no new privileges" flag is set|dial unix \S+: \w+: /i,
  // Sockets in the file system.
  /\bEAFNOSUPPORT\b|Address family not supported/i,
  /(?:\bset(?:groups|egid|euid|gid|uid)|\bset groups|\bptrace|\bunshare|\bnamespaces?|\bsocket)\b.{0,200}Operation not permitted/i,
  /Operation not permitted.{0,200}\bsocket\b/i,
];

/**
 * The access that a sandbox blocked for a command, as far as the output shows it: the first named one that is not open yet. If nothing
 * is named, or the open ones are not enough, that is the whole sandbox. Undefined if nothing shows.
 */
export function heldBack(ended: EndedCommand): SandboxAccess | undefined {
  const { command, output, exitCode, hosts, refused } = ended;
  const isOpen = (host: string): boolean => hosts === "all" || isReached(host, hosts);
  const first = firstNamed(ended, isOpen);
  if (first) return first;
  const unnamed =
    hosts === "all" ? undefined : (refused.find((host) => !isBridge(host)) ?? unnamedHost(command, output, exitCode));
  if (unnamed !== undefined && !isOpen(unnamed)) return { kind: "host", host: unnamed };
  if (ended.missed) return ended.missed;
  const shows =
    showsReadOnly(output) || REFUSED.some((sign) => sign.test(output)) || (hosts !== "all" && showsNoNetwork(output));
  return shows ? { kind: "outside", command } : undefined;
}

/** The hosts that a sandbox blocked for a command, as far as its output and the proxy name them, as `sandbox.network` would list them. */
export function blockedHosts({ output, command, hosts, refused }: EndedCommand): readonly string[] {
  if (hosts === "all") return [];
  const named = namedHosts(output, command)
    .toSorted((one, other) => one.index - other.index)
    .map(({ host }) => host);
  const all = [...named, ...refused.filter((host) => !isBridge(host))];
  return [...new Set(all)].filter((host) => !isReached(host, hosts));
}

/** The first access in an output that is not open. */
function firstNamed(ended: EndedCommand, isOpen: (host: string) => boolean): SandboxAccess | undefined {
  const { output, command, isWritable } = ended;
  const hosts = namedHosts(output, command).flatMap(({ index, host }) =>
    isOpen(host) ? [] : [{ index, access: { kind: "host", host } } as const],
  );
  // If the path can be written, the command meant another one: it wrote in another folder.
  const paths = namedPaths("read-only", ended).flatMap(({ index, paths }) =>
    paths
      .filter((path) => !isWritable(path))
      .slice(0, 1)
      .map((path) => ({ index, access: { kind: "write", path } }) as const),
  );
  return [...hosts, ...paths].toSorted((one, other) => one.index - other.index)[0]?.access;
}
