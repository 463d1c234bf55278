import { isWithin } from "@mdx-ai/parser/is-within";
import type { SandboxAccess } from "../types/permission.ts";
import { isReached, namedHosts, showsNoNetwork, unnamedHost } from "./held-back-host.ts";
import { namedPaths, showsReadOnly } from "./held-back-path.ts";
import { isBridge } from "./network/bridge-environment.ts";

/** What a command that has ended shows. */
export interface ShownEnd {
  readonly output: string;
  /** The shell text; "" for a tool of agent.mdx. */
  readonly command: string;
  /** Null if it is not known. */
  readonly exitCode: number | null;
}

/** A command that has ended, and what its sandbox allowed. */
export interface EndedCommand extends ShownEnd {
  /** Where it began. Absolute. */
  readonly cwd: string;
  readonly hosts: "all" | readonly string[];
  /** Hosts that the proxy refused meanwhile. */
  readonly refused: readonly string[];
  /** What it may write beyond what all commands may. Absolute and real. */
  readonly writable: readonly string[];
}

/** What programs write when the kernel or the sandbox refuses something that is neither a host nor a file. */
const REFUSED =
  /Cannot connect to the Docker daemon at unix:|"no new privileges" flag is set|dial unix \S+: \w+: |set(?:groups|egid|euid|gid|uid)\b.{0,200}Operation not permitted|Operation not permitted.{0,200}\bsocket\b|\bsocket\b.{0,200}Operation not permitted/i;

/**
 * What a sandbox held back from a command, as far as the output shows it: what is named first and is not open yet. If nothing
 * is named, or the command does not get by with what is open, that is all of it. Undefined if nothing shows.
 */
export function heldBack(ended: EndedCommand): SandboxAccess | undefined {
  const { command, output, exitCode, cwd, hosts, refused, writable } = ended;
  const isOpen = (access: SandboxAccess): boolean => {
    if (access.kind === "host") return hosts === "all" || isReached(access.host, hosts);
    return access.kind === "write" && writable.some((place) => isWithin(place, access.path));
  };
  const named = namedAccesses(output, command, cwd);
  const first = named.find((access) => !isOpen(access));
  if (first) return first;
  const unnamed =
    hosts === "all" ? undefined : (refused.find((host) => !isBridge(host)) ?? unnamedHost(command, output, exitCode));
  if (unnamed !== undefined && !isOpen({ kind: "host", host: unnamed })) return { kind: "host", host: unnamed };
  const shows = showsReadOnly(output) || REFUSED.test(output) || (hosts !== "all" && showsNoNetwork(output));
  return shows ? { kind: "outside", command } : undefined;
}

function namedAccesses(output: string, command: string, cwd: string): readonly SandboxAccess[] {
  const hosts = namedHosts(output, command).map(
    ({ index, host }) => ({ index, access: { kind: "host", host } }) as const,
  );
  const paths = namedPaths(output, command, cwd).map(
    ({ index, path }) => ({ index, access: { kind: "write", path } }) as const,
  );
  return [...hosts, ...paths].toSorted((one, other) => one.index - other.index).map(({ access }) => access);
}
