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
  /** Paths that the output names as busy, since the sandbox keeps them in place. */
  readonly kept?: readonly string[] | undefined;
}

/** Hosts or paths that a line names: an output may name very many. */
const MOST_LISTED = 10;

/**
 * Lines in brackets that say what the sandbox blocked, as far as known, and what it allows; "" if an output does not
 * show that it blocked or hid something. Programs write "Read-only file system" and do not know of a sandbox; without these lines
 * neither the model nor the user would.
 */
export function containmentNote(
  output: string,
  { held, hosts: named = [], hidden, kept = [] }: Barred,
  { purpose, hosts, hasWorkspace }: Contained,
): string {
  const path = held?.kind === "write" ? held.path : undefined;
  const blocked = [...new Set([...(held?.kind === "host" ? [held.host] : []), ...named])];
  const isOffline = blocked.length > 0 || (hosts !== "all" && showsNoNetwork(output));
  const notes = [
    ...(path !== undefined || showsReadOnly(output)
      ? [`${deniedText("writing", path)}${writingNote(purpose, hasWorkspace)}`]
      : []),
    ...(kept.length === 0 ? [] : [keptNote(purpose, kept)]),
    ...(isOffline && hosts !== "all"
      ? [`${deniedText("reaching", listText(blocked))}${networkNote(purpose, hosts)}`]
      : []),
    ...(hidden === undefined ? [] : [hiddenNote(purpose, hidden)]),
  ];
  if (notes.length === 0 && held?.kind === "outside" && purpose === "shell") {
    notes.push("prevented something that the command needs; --sandbox off runs commands without it");
  }
  return notes.map((note) => `[the sandbox ${note}]`).join("\n");
}

/** Programs such as git report success where a file could not be replaced. */
function keptNote(purpose: Contained["purpose"], kept: readonly string[]): string {
  const way = purpose === "shell" ? ": write_file can ask the user, and --sandbox off runs commands without it" : "";
  return `keeps ${listText(kept)} in place: it was not replaced or removed, whatever else the output says${way}`;
}

function listText(items: readonly string[]): string | undefined {
  const more = items.length - MOST_LISTED;
  const shown = items.slice(0, MOST_LISTED).join(", ");
  if (more > 0) return `${shown} and ${more} more`;
  return items.length === 0 ? undefined : shown;
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
