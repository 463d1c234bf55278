import { existsSync } from "node:fs";
import { isWithin } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import type { SandboxAccess } from "@mdx-ai/loop";
import type { SandboxOptions, SandboxRequest } from "./command-sandbox.ts";

const grantedHosts = (granted: readonly SandboxAccess[]): readonly string[] =>
  granted.flatMap((access) => (access.kind === "host" ? [access.host] : []));

/** The reachable hosts: all that the machine reaches, or a list. */
export function hostsOf(
  { purpose, granted = [] }: SandboxRequest,
  { policy, toolNetwork }: SandboxOptions,
): "all" | readonly string[] {
  if (purpose === "shell") {
    if (policy.network === "all") return "all";
    const listed = policy.network === "none" ? [] : policy.network;
    return [...new Set([...listed, ...grantedHosts(granted)])];
  }
  if (toolNetwork === "none") return [];
  return (purpose === "code" ? undefined : purpose.network) ?? "all";
}

/** Whether a command has a proxy. Shell commands have one even without a network, since it reports the hosts that it refused. */
export const hasProxy = ({ purpose }: SandboxRequest, hosts: "all" | readonly string[]): boolean =>
  hosts !== "all" && (hosts.length > 0 || purpose === "shell");

/** The paths that are granted for one command. Absolute. */
export interface GrantedPaths {
  /** The paths to read and to write. Real; all exist. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Links that lead to the paths to read. */
  readonly names: readonly string[];
}

/** Leaves out paths that no longer exist, that are now links, or that are in the agent directory, and links that lead elsewhere. */
export function grantedPaths(granted: readonly SandboxAccess[], agentDir: string): GrantedPaths {
  const isSound = (path: string): boolean =>
    existsSync(path) && realPathOrSame(path) === path && !isWithin(agentDir, path);
  const read = granted.flatMap((access) => (access.kind === "read" && isSound(access.path) ? [access] : []));
  return {
    read: read.map(({ path }) => path),
    write: granted.flatMap((access) => (access.kind === "write" && isSound(access.path) ? [access.path] : [])),
    names: read.flatMap(({ path, name }) => (name !== undefined && realPathOrSame(name) === path ? [name] : [])),
  };
}
