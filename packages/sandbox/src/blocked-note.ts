import {
  type CommandView,
  emptyFiles,
  type HiddenFolder,
  hiddenFolder,
  missedCaches,
  readOnlyPaths,
  refusedHosts,
  showsNoNetwork,
  showsNoSocket,
  showsReadOnly,
  showsUnsigned,
  takenPaths,
} from "./blocked-access.ts";
import type { EndedCommand } from "./command-sandbox.ts";

/** The most hosts or paths that a line names. */
const MAX_LISTED = 10;

/**
 * Lines in brackets that report what the sandbox blocked and what it allows; "" if no block shows. Programs only write "Read-only
 * file system", so without these lines neither the model nor the user would know of the sandbox.
 */
export function blockedNote(ended: EndedCommand, view: CommandView): string {
  const { output } = ended;
  const paths = [...readOnlyPaths(output, view), ...takenPaths(output, view)];
  const hosts = refusedHosts(view);
  const hidden = hiddenFolder(output, view);
  const notes = [
    ...(paths.length > 0 || showsReadOnly(output)
      ? [`${deniedText("writing", listText(paths))}${writingNote(view)}`]
      : []),
    ...(hosts.length > 0 || showsNoNetwork(output, view)
      ? [`${deniedText("reaching", listText(hosts))}${networkNote(view)}`]
      : []),
    ...(hidden === undefined ? [] : [hiddenNote(view, hidden)]),
    ...emptyFiles(ended, view).map((path) => `hides ${path}, which looks empty: ${SHOWN} read_file can ask the user`),
    ...missedCaches(ended, view).map((path) => hiddenNote(view, { path, isOwn: true })),
    ...(showsUnsigned(ended) ? [UNSIGNED] : []),
    ...(showsNoSocket(output) ? [`${NO_SOCKET}${view.purpose === "shell" ? OUTSIDE : ""}`] : []),
  ];
  const ofGit = paths.some((path) => GIT_SETTINGS.test(path)) ? [UNCHANGED] : [];
  const ofKeys = [...view.problems].map((problem) => `[the sandbox sent no key: ${problem}]`);
  return [...notes.map((note) => `[the sandbox ${note}]`), ...ofGit, ...ofKeys].join("\n");
}

const SHOWN = "the setting sandbox.read names what commands and tools see there, unless the permissions deny it;";

const OUTSIDE = "; --sandbox off runs commands without it";
const UNSIGNED = `hides your keys and the programs that hold them, so commands in it cannot sign${OUTSIDE}`;
const NO_SOCKET = "lets programs use the network and pairs of sockets, but no sockets in the file system";

/** Git reports the success of a command that could not write its settings. */
const GIT_SETTINGS = /\/(?:\.git|worktrees\/[^/]+|modules\/.+)\/config(?:\.worktree)?$/;
const UNCHANGED = "[git's settings did not change, even if git says so after that error]";

function listText(items: readonly string[]): string | undefined {
  const more = items.length - MAX_LISTED;
  const shown = items.slice(0, MAX_LISTED).join(", ");
  if (more > 0) return `${shown} and ${more} more`;
  return items.length === 0 ? undefined : shown;
}

const deniedText = (doing: string, what: string | undefined): string =>
  what === undefined ? "" : `prevented ${doing} ${what}: it `;

/** Whether it is the view of a tool that sees only the files that it names. */
const isNarrowed = ({ purpose }: CommandView): boolean => typeof purpose !== "string" && purpose.files !== undefined;

function writingNote(view: CommandView): string {
  if (isNarrowed(view)) return "lets this tool write only what its `files` names, and /tmp";
  const what = view.hasWorkspace
    ? "only to /tmp, the workspace and the agent directory, except the files that run code on their own, or define or record the agent"
    : "only to /tmp and to the agent directory, except the files that define or record the agent";
  return view.purpose === "shell"
    ? `lets commands write ${what}; the setting sandbox.write names more paths, write_file can ask the user for others, and --sandbox off runs commands without it`
    : `lets tools write ${what}`;
}

function networkNote({ purpose, hosts }: CommandView): string {
  const reach =
    hosts === "all" || hosts.length > 0
      ? `only ${[hosts].flat().join(", ")}`
      : "no network and no services of this machine";
  return purpose === "shell"
    ? `lets commands reach ${reach}; the setting sandbox.network names hosts, and --sandbox off runs commands without it`
    : `lets this tool reach ${reach}`;
}

function hiddenNote(view: CommandView, { path, isOwn }: HiddenFolder): string {
  const fact = isOwn ? `has a ${path} of its own, without your files` : `hides ${path}`;
  if (isNarrowed(view)) return `${fact}: this tool sees what its \`files\` names`;
  return view.purpose === "shell"
    ? `${fact}: ${SHOWN} read_file can ask the user, and --sandbox off runs commands without it`
    : `${fact}: ${SHOWN.slice(0, -1)}`;
}
