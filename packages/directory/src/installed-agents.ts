import { existsSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  agentIdentity,
  attempt,
  configurationDirectory,
  type Environment,
  foldersFrom,
  installDirectory,
  sha256,
  VERSIONS_FOLDER,
} from "@mdx-ai/base";
import { parseProcess, processState, realPathOrSame, thisProcess } from "@mdx-ai/base/disk";
import type { FrontEnd } from "./front-end.ts";

export type InstallPlace = Pick<FrontEnd, "environment" | "currentDirectory">;

/** Where added agents are: those of the user, or those of a project, which its `agents.lock.json` names. */
export interface Shelf {
  readonly scope: "user" | "project";
  /** Holds a folder for each agent. Absolute. */
  readonly folder: string;
  /** `agents.lock.json`. Absolute. */
  readonly lockFile: string;
}

export const AGENTS_LOCK = "agents.lock.json";

/** Names that folders, command lines and addresses accept. */
const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;

export const isAgentName = (name: string): boolean => NAME.test(name) && !name.includes("..");

/** The agents of the user; undefined if the user has no folder for data. */
export function userShelf(environment: Environment): Shelf | undefined {
  const data = installDirectory(environment);
  const configuration = configurationDirectory(environment);
  if (data === undefined || configuration === undefined) return undefined;
  return { scope: "user", folder: join(data, "agents"), lockFile: join(configuration, AGENTS_LOCK) };
}

/** The agents of a project, whose root is absolute. They are in the user's folder, so that no one else can change them. */
export function projectShelf(root: string, environment: Environment): Shelf | undefined {
  const data = installDirectory(environment);
  if (data === undefined) return undefined;
  const real = realPathOrSame(root);
  const name = `${basename(real).slice(0, 60)}-${sha256(real).slice(0, 16)}`;
  return { scope: "project", folder: join(data, "projects", name), lockFile: join(real, AGENTS_LOCK) };
}

/** The nearest folder from the current one up with an `agents.lock.json`. */
export const projectRoot = ({ currentDirectory }: Pick<FrontEnd, "currentDirectory">): string | undefined =>
  foldersFrom(currentDirectory).find((folder) => existsSync(join(folder, AGENTS_LOCK)));

/** The shelves that names are looked up in, the nearest first. */
export function shelves(place: InstallPlace): readonly Shelf[] {
  const root = projectRoot(place);
  const ofUser = userShelf(place.environment);
  const ofProject = root === undefined ? undefined : projectShelf(root, place.environment);
  return [ofProject, ofUser].filter((shelf) => shelf !== undefined);
}

/** The folder of the agent's versions and of the link to the current one. */
export const agentHome = ({ folder }: Pick<Shelf, "folder">, name: string): string => join(folder, name);

/** A relative link to the current version. It is replaced in one step. */
export const currentLink = (home: string): string => join(home, "current");

export const versionFolder = (home: string, version: string): string => join(home, VERSIONS_FOLDER, version);

/** The current version of an agent; undefined if there is none. */
export const currentVersion = (home: string): string | undefined =>
  attempt(() => basename(readlinkSync(currentLink(home))));

/** The directory of an added agent, by its name; undefined if no agent has it. Absolute. It is never the link, so that a run keeps its version. */
export function installedDirectory(name: string, place: InstallPlace): string | undefined {
  if (!isAgentName(name)) return undefined;
  for (const shelf of shelves(place)) {
    const home = agentHome(shelf, name);
    const version = currentVersion(home);
    if (version !== undefined) return versionFolder(home, version);
  }
  return undefined;
}

/** The folder for the files that the tools of an added agent write. The same for all its versions. Absolute. */
export function filesOfInstalled(realPath: string, environment: Environment): string | undefined {
  const data = installDirectory(environment);
  const home = agentIdentity(realPath);
  return data === undefined ? undefined : join(data, "files", `${basename(home)}-${sha256(home).slice(0, 16)}`);
}

/**
 * Marks a version of an added agent as open in this process, so that no update removes it; returns what ends that. Does nothing for other
 * directories, or where nothing can be written.
 */
export function holdVersion(realPath: string, environment: Environment): () => void {
  if (!isOfInstalled(realPath, environment)) return () => {};
  const mark = `${realPath}.used-${crypto.randomUUID()}`;
  attempt(() => writeFileSync(mark, JSON.stringify(thisProcess(Date.now()))));
  return () => void attempt(() => rmSync(mark, { force: true }));
}

/**
 * Whether a process has the version in this folder open: one that runs, or one of another machine or container, which cannot be asked. `names`
 * are those of the files beside the folder.
 */
export const isVersionInUse = (folder: string, names: readonly string[]): boolean =>
  names.some((name) => name.startsWith(`${basename(folder)}.used-`) && isUsed(join(dirname(folder), name)));

function isUsed(mark: string): boolean {
  const named = parseProcess(attempt(() => readFileSync(mark, "utf8")) ?? "");
  return named !== undefined && processState(named) !== "ended";
}

/** Whether a real path that names a version is one of an added agent. */
export const isOfInstalled = (realPath: string, environment: Environment): boolean =>
  installDirectory(environment) !== undefined &&
  realPath.startsWith(`${realPathOrSame(installDirectory(environment) ?? "/")}/`);
