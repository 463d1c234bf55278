import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import {
  agentIdentity,
  attempt,
  configurationDirectory,
  DATA_FOLDERS,
  dataLayout,
  type Environment,
  errorCode,
  isWithin,
  namesVersion,
  sha256,
  sourceLayout,
  stateDirectory,
} from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { DirectoryError } from "./directory-error.ts";
import type { FrontEnd } from "./front-end.ts";
import { currentLink, installedDirectory, isOfInstalled } from "./installed-agents.ts";

type Place = Pick<FrontEnd, "environment" | "currentDirectory">;

/** Whether a path names an agent that is one Markdown file. */
export const isAgentFile = (path: string, { currentDirectory }: Place): boolean =>
  /\.(?:md|markdown)$/i.test(path) && isFile(resolve(currentDirectory, path));

/** The real path of an agent that is one file. Absolute. */
export const agentFile = (path: string, { currentDirectory }: Place): string =>
  realpathSync.native(resolve(currentDirectory, path));

/**
 * The folder of an agent, given its path, or the name of an added agent. Absolute; it may not exist. For a Markdown file it contains only the data: a folder in the
 * user's state that is always the same for a file; for an `agent.mdx` it is the file's folder. Throws `DirectoryError` ("data") if the
 * user has no folder for state.
 */
export function agentFolder(path: string, place: Place): string {
  if (!isAgentFile(path, place)) {
    const given = resolve(place.currentDirectory, path);
    const folder = namesFolder(path, given) ? given : (installedDirectory(path, place) ?? given);
    return basename(folder).toLowerCase() === "agent.mdx" && isFile(folder) ? dirname(folder) : folder;
  }
  const state = stateDirectory(place.environment);
  if (state === undefined) {
    throw new DirectoryError(
      "data",
      `no folder for the sessions of ${path}: set HOME, or XDG_STATE_HOME to an absolute path`,
    );
  }
  const file = agentFile(path, place);
  return join(state, "agents", uniqueName(file, extname(file)));
}

/** Whether a word is a path and not the name of an added agent: it contains a separator, or an agent is there, or may be. */
const namesFolder = (path: string, given: string): boolean =>
  /[/\\]/.test(path) || isFile(given) || mayHoldAgent(given);

/** Whether an agent is in a folder, or the folder cannot be entered. */
function mayHoldAgent(folder: string): boolean {
  if (attempt(() => lstatSync(folder)) === undefined) return false;
  try {
    statSync(join(folder, "agent.mdx"));
    return true;
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "");
  }
}

/** A unique name for a path's data, beginning with its file name without extension. */
const uniqueName = (path: string, ending = ""): string =>
  `${basename(path, ending).slice(0, MAX_NAME)}-${sha256(path).slice(0, 16)}`;

/** In characters. */
const MAX_NAME = 60;

/** The stats of a path, links followed; undefined if it is missing or unreachable. */
const statsOf = (path: string): Stats | undefined => attempt(() => statSync(path));

export const isFile = (path: string): boolean => statsOf(path)?.isFile() ?? false;

export const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

/** The names in a folder; empty if it cannot be read. */
export const namesIn = (folder: string): readonly string[] => attempt(() => readdirSync(folder)) ?? [];

/** Whether this process may access a path in these ways, such as `constants.W_OK`. No process may write to a read-only file system. */
export const hasAccess = (path: string, mode: number): boolean =>
  attempt(() => {
    accessSync(path, mode);
    return true;
  }) ?? false;

/** Options for finding the data folder. */
export type DataFrontEnd = Pick<FrontEnd, "environment" | "onNotice" | "user">;

export interface DataRequest {
  /** The agent directory. Absolute. */
  readonly agentDir: string;
  /** The same path with links resolved, if known. */
  readonly realPath?: string | undefined;
  /** The user's choice. Absolute. */
  readonly data?: string | undefined;
  /** Whether sessions will be written. If true, the folder is created and must be writable. */
  readonly isWriting: boolean;
}

/**
 * The directory with an agent's sessions, state and logs: the chosen one, else the agent directory; with `user`, that user's folder. If it is read-only, a
 * folder in the user's state for this agent, which a notice names. An agent among the user's settings has its data there, too. Absolute. Throws `DirectoryError` ("data"), or the file system's
 * error.
 */
export function dataDirectory(request: DataRequest, frontEnd: DataFrontEnd): string {
  if (frontEnd.user !== undefined) return directoryOf(frontEnd.user, request, frontEnd);
  const { agentDir, data, isWriting } = request;
  if (data === undefined) return defaultDirectory(request, frontEnd);
  checkChosen(data, agentDir);
  if (isWriting) makeFolders(data);
  else if (!existsSync(data)) throw new DirectoryError("data", `--data ${data} does not exist`);
  return data;
}

/**
 * The folder of one of several users: below the chosen folder, else below the state folder of the person who runs the agent. A path that was
 * resolved before is returned unchanged.
 */
function directoryOf(
  user: string,
  { agentDir, realPath, data, isWriting }: DataRequest,
  frontEnd: DataFrontEnd,
): string {
  const base = data ?? directoryOfUser({ agentDir, realPath }, frontEnd);
  if (base === undefined) throw new DirectoryError("data", "--user needs a home folder, or --data DIR");
  const folder = base.endsWith(join("/users", user)) ? base : join(base, "users", user);
  checkChosen(folder, agentDir);
  if (isWriting) makeFolders(folder);
  return folder;
}

/** The same for a run; an ephemeral run writes nothing. */
export const dataOfRun = (
  { data, isEphemeral }: { readonly data?: string; readonly isEphemeral: boolean },
  { path, realPath }: { readonly path: string; readonly realPath: string },
  frontEnd: DataFrontEnd,
): string => dataDirectory({ agentDir: path, realPath, data, isWriting: !isEphemeral }, frontEnd);

/** Throws if an agent's tools could write to its data, or the data of two agents would mix. */
function checkChosen(data: string, agentDir: string): void {
  if (existsSync(data) && !statSync(data).isDirectory())
    throw new DirectoryError("data", `--data ${data} is not a folder`);
  const [chosen, agent] = [realPathOrSame(data), realPathOrSame(agentDir)];
  // An agent may also work for itself: its tools cannot write there.
  if (chosen === agent || isWithin(dataLayout(agent).agents, chosen)) return;
  const { sessions, state, logs } = dataLayout(chosen);
  if (isWithin(agent, chosen) || [sessions, state, logs].some((folder) => isWithin(folder, agent))) {
    throw new DirectoryError("data", `--data ${data} and the agent directory must not contain each other`);
  }
  if (existsSync(sourceLayout(chosen).definition)) {
    throw new DirectoryError("data", `--data ${data} is the directory of another agent`);
  }
}

function defaultDirectory(request: DataRequest, frontEnd: DataFrontEnd): string {
  const { agentDir, isWriting } = request;
  const isAddedAgent = isAdded(request, frontEnd);
  const isSettings = isAddedAgent || isAmongSettings(request, frontEnd);
  if (!isSettings && isUsable(agentDir, isWriting)) return agentDir;
  const elsewhere = directoryOfUser(request, frontEnd);
  if (isAddedAgent && elsewhere !== undefined && !isWriting) return elsewhere;
  if (elsewhere === undefined || (!isWriting && !existsSync(elsewhere))) return agentDir;
  if (isWriting) makeFolders(elsewhere);
  if (isSettings) return elsewhere;
  const text = `${agentDir} is read-only; its sessions, state and logs are in ${elsewhere}`;
  frontEnd.onNotice({ type: "note", text });
  return elsewhere;
}

/** Whether an agent is in the user's folder of settings, such as the default agent: its data belongs in the user's state. */
function isAmongSettings({ agentDir, realPath }: DataRequest, { environment }: DataFrontEnd): boolean {
  const settings = configurationDirectory(environment);
  return settings !== undefined && isWithin(realPathOrSame(settings), realPath ?? realPathOrSame(agentDir));
}

/** Whether an agent is a version of an added one: its data outlives the version. */
const isAdded = ({ agentDir, realPath }: DataRequest, { environment }: DataFrontEnd): boolean =>
  isInstalled(realPath ?? realPathOrSame(agentDir), environment);

/** Whether a real path is a version of an added agent: a folder that nothing writes to. */
export const isInstalled = (realPath: string, environment: Environment): boolean =>
  namesVersion(realPath) && isOfInstalled(realPath, environment);

/** The path of an agent that other programs may keep: for an added one the link to its current version, since updates remove old versions. */
export const lastingPath = (
  { path, realPath }: { readonly path: string; readonly realPath: string },
  environment: Environment,
): string => (isInstalled(realPath, environment) ? currentLink(agentIdentity(realPath)) : path);

/** The same path in every process, so that commands find each other's data. Undefined if the user has no folder for state. */
function directoryOfUser(
  { agentDir, realPath }: Pick<DataRequest, "agentDir" | "realPath">,
  { environment }: DataFrontEnd,
): string | undefined {
  const state = stateDirectory(environment);
  if (state === undefined || !existsSync(agentDir)) return undefined;
  return join(state, "data", uniqueName(agentIdentity(realPath ?? realpathSync.native(agentDir))));
}

/**
 * Whether the data is in the agent directory itself. Existing sessions of this user stay in use, even if the file system is
 * read-only now: a conversation must not continue without its earlier messages.
 */
function isUsable(agentDir: string, isWriting: boolean): boolean {
  const { sessions } = dataLayout(agentDir);
  const hasSessions = existsSync(sessions);
  if (hasSessions && hasAccess(sessions, constants.R_OK | constants.X_OK)) return true;
  return isWriting && hasAccess(agentDir, constants.W_OK | constants.X_OK) && (hasSessions || canMake(sessions));
}

const READ_ONLY: readonly unknown[] = ["EROFS", "EACCES", "EPERM"];

/** Tries to write: confined processes may be denied what the folder's mode permits. */
function canMake(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    // Any other failure is reported when the session is opened.
    return !READ_ONLY.includes(errorCode(error));
  }
}

/** Creates the folder with all files that an agent writes, so that a sandbox can protect them from the start. */
function makeFolders(path: string): void {
  for (const folder of DATA_FOLDERS) mkdirSync(join(path, folder), { recursive: true, mode: 0o700 });
}

/** What is on disk about changes of a directory by its agent: in the user's own folder, where no agent writes. */
export interface EditFiles {
  /** The change, while it is made, or if the process was killed. Absolute. */
  readonly unfinished: string;
  /** A text that differs after each change. Absolute. */
  readonly mark: string;
  /** The states before and after a change that the user agreed to, until that trust is kept. Absolute. */
  readonly agreed: string;
}

/** The files for a directory, by its real path; undefined if the user has no folder for them. */
export function editFiles(directory: string, environment: Environment): EditFiles | undefined {
  const folder = stateDirectory(environment);
  if (folder === undefined) return undefined;
  const path = join(folder, "self-edits", sha256(directory));
  return { unfinished: `${path}.json`, mark: `${path}.mark`, agreed: `${path}.agreed` };
}
