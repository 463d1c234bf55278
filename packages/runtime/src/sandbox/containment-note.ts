import type { EnclosureRequest } from "./enclosure.ts";

/** What programs write when a file cannot be written. */
const READ_ONLY = /: Read-only file system\b|\bEROFS\b|\[Errno 30\]/i;

/** What programs write when there is no network, or when the proxy refused a host. */
const NO_NETWORK =
  /Could not resolve|unable to resolve host|Temporary failure in name resolution|EAI_AGAIN|Network is unreachable|CONNECT tunnel failed, response 403|Proxy refused to open a tunnel: 403|Connection refused|ECONNREFUSED|Couldn't connect to server/i;

/** The purpose of a sandbox, and the hosts that can be reached from it. */
export interface Contained {
  readonly purpose: EnclosureRequest["purpose"];
  readonly hosts: "all" | readonly string[];
}

/**
 * Lines in brackets that say what the sandbox allows, if an output shows that the sandbox held something back; else "".
 * Programs write "Read-only file system" and do not know of a sandbox; without these lines the model and the user would not
 * either.
 */
export function containmentNote(output: string, { purpose, hosts }: Contained): string {
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
