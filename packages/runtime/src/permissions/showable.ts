import { isWithin } from "@mdx-ai/parser/is-within";
import { agentIn, isAgentDirectory } from "../files/agent-directories.ts";
import { isFileOrFolder, isFolder, realPlaceOrSame } from "../files/real-place.ts";
import { isNeverOpened, recordsOf } from "./closed-places.ts";
import { deniedPaths } from "./denied-paths.ts";
import type { Permissions } from "./permissions.ts";
import { isReadingDenied } from "./policy.ts";
import { ownPlaces, secretKindOf } from "./secret-places.ts";

/**
 * Whether a real path that the sandbox hides may be shown to a command whose user allows it: a file or folder in the home folder.
 * Never the home folder itself, what the rules deny to read, what this program keeps of the user, what an agent records, a folder
 * of secrets, or one that contains an agent. A single file with secrets may be shown: the question says what it is.
 */
export function isShowable(permissions: Permissions, path: string): boolean {
  const { home } = permissions.places();
  if (home === undefined || path === home || !isWithin(home, path)) return false;
  if (!isFileOrFolder(path) || realPlaceOrSame(path) !== path) return false;
  if (isNeverOpened(permissions, path) || isDenied(permissions, path) || isKept(permissions, path)) return false;
  const secret = secretKindOf(path, permissions.places());
  return isFolder(path) ? secret === undefined && !containsAgent(permissions, path) : isNameable(secret);
}

const isDenied = (permissions: Permissions, path: string): boolean =>
  isReadingDenied(permissions, path) || deniedPaths(permissions, "read")?.deniesAllIn(path) === true;

/** Whether this program keeps a path: settings, trust, approvals, caches, and what it records of the agent. */
function isKept(permissions: Permissions, path: string): boolean {
  const { agentDir, home } = permissions.places();
  const { environment } = permissions.options;
  // The variable HOME may be absent.
  const places = [...ownPlaces(environment), ...ownPlaces({ HOME: home })];
  const own = places.flatMap((place) => [place, realPlaceOrSame(place)]);
  return [...own, ...recordsOf(permissions), agentDir].some((place) => isWithin(place, path));
}

/** Whether a sandbox that shows a folder would show an agent with its records: only those beside this agent are hidden there. */
function containsAgent(permissions: Permissions, folder: string): boolean {
  const { agentDir } = permissions.places();
  const held = [agentDir, ...recordsOf(permissions)];
  if (held.some((place) => isWithin(folder, place))) return true;
  return isAgentDirectory(folder) || agentIn(folder, agentDir) !== undefined;
}

const isNameable = (secret: ReturnType<typeof secretKindOf>): boolean =>
  secret === undefined || secret === "secrets" || secret === "variables";
