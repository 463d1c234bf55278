import { constants, existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  configurationDirectory,
  DATA_FOLDERS,
  dataLayout,
  errorCode,
  isWithin,
  sourceLayout,
  stateDirectory,
} from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { DirectoryError } from "../directory-error.ts";
import type { FrontEnd } from "../front-end.ts";
import { hasAccess, uniqueName } from "../paths.ts";

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
  if (chosen === agent) return;
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
  const isSettings = isAmongSettings(request, frontEnd);
  if (!isSettings && isUsable(agentDir, isWriting)) return agentDir;
  const elsewhere = directoryOfUser(request, frontEnd);
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

/** The same path in every process, so that commands find each other's data. Undefined if the user has no folder for state. */
function directoryOfUser(
  { agentDir, realPath }: Pick<DataRequest, "agentDir" | "realPath">,
  { environment }: DataFrontEnd,
): string | undefined {
  const state = stateDirectory(environment);
  if (state === undefined || !existsSync(agentDir)) return undefined;
  return join(state, "data", uniqueName(realPath ?? realpathSync.native(agentDir)));
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
