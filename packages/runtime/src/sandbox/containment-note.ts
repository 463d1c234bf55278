import type { SandboxAccess } from "../types/permission.ts";
import type { EnclosureRequest } from "./enclosure.ts";
import { showsNoNetwork } from "./held-back-host.ts";
import { showsReadOnly } from "./held-back-path.ts";
import type { HiddenPlace } from "./hidden-place.ts";

/** The purpose of a sandbox, and the hosts that can be reached from it. */
export interface Contained {
  readonly purpose: EnclosureRequest["purpose"];
  readonly hosts: "all" | readonly string[];
  /** Whether it may write a workspace. */
  readonly hasWorkspace?: boolean | undefined;
}

/** The accesses that a sandbox blocked for a command, as far as known. */
export interface Barred {
  readonly held: SandboxAccess | undefined;
  /** All hosts that the output or the proxy names, beside the one in `held`. */
  readonly hosts?: readonly string[] | undefined;
  readonly hidden: HiddenPlace | undefined;
}

/** Hosts that a line names: an output may name very many. */
const MOST_HOSTS = 10;

/**
 * Lines in brackets that say what the sandbox blocked, as far as known, and what it allows; "" if an output does not
 * show that it blocked or hid something. Programs write "Read-only file system" and do not know of a sandbox; without these lines
 * neither the model nor the user would.
 */
export function containmentNote(
  output: string,
  { held, hosts: named = [], hidden }: Barred,
  { purpose, hosts, hasWorkspace }: Contained,
): string {
  const path = held?.kind === "write" ? held.path : undefined;
  const blocked = [...new Set([...(held?.kind === "host" ? [held.host] : []), ...named])];
  const isOffline = blocked.length > 0 || (hosts !== "all" && showsNoNetwork(output));
  const notes = [
    ...(path !== undefined || showsReadOnly(output)
      ? [`${deniedText("writing", path)}${writingNote(purpose, hasWorkspace)}`]
      : []),
    ...(isOffline && hosts !== "all"
      ? [`${deniedText("reaching", hostsText(blocked))}${networkNote(purpose, hosts)}`]
      : []),
    ...(hidden === undefined ? [] : [hiddenNote(purpose, hidden)]),
  ];
  if (notes.length === 0 && held?.kind === "outside" && purpose === "shell") {
    notes.push("prevented something that the command needs; --sandbox off runs commands without it");
  }
  return notes.map((note) => `[the sandbox ${note}]`).join("\n");
}

function hostsText(hosts: readonly string[]): string | undefined {
  const more = hosts.length - MOST_HOSTS;
  const shown = hosts.slice(0, MOST_HOSTS).join(", ");
  if (more > 0) return `${shown} and ${more} more`;
  return hosts.length === 0 ? undefined : shown;
}

const deniedText = (doing: string, what: string | undefined): string =>
  what === undefined ? "" : `prevented ${doing} ${what}: it `;

function writingNote(purpose: Contained["purpose"], hasWorkspace = false): string {
  if (typeof purpose !== "string" && purpose.files !== undefined) {
    return "lets this tool write only what its `files` names, and /tmp";
  }
  const what = hasWorkspace
    ? "only to /tmp, the workspace and the agent directory, except the files that run code on their own, or define or record the agent"
    : "only to /tmp and to the agent directory, except the files that define or record the agent";
  return purpose === "shell"
    ? `lets commands write ${what}; the setting sandbox.write names more places, write_file can ask the user for others, and --sandbox off runs commands without it`
    : `lets tools write ${what}`;
}

function networkNote(purpose: Contained["purpose"], hosts: readonly string[]): string {
  const reach = hosts.length === 0 ? "no network, nor services of this machine" : `only ${hosts.join(", ")}`;
  return purpose === "shell"
    ? `lets commands reach ${reach}; the setting sandbox.network names hosts, and --sandbox off runs commands without it`
    : `lets this tool reach ${reach}`;
}

function hiddenNote(purpose: Contained["purpose"], { place, isOwn }: HiddenPlace): string {
  const fact = isOwn ? `has a ${place} of its own, without your files` : `hides ${place}`;
  if (typeof purpose !== "string" && purpose.files !== undefined)
    return `${fact}: this tool sees what its \`files\` names`;
  const seen = "the setting sandbox.read names what commands and tools see there, unless the permissions deny it";
  return purpose === "shell"
    ? `${fact}: ${seen}; read_file can ask the user, and --sandbox off runs commands without it`
    : `${fact}: ${seen}`;
}
