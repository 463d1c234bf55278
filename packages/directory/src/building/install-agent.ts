import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { attempt, type Environment, isRecord, isText, sha256, sourceLayout, stateDirectory } from "@mdx-ai/base";
import { makeTemporaryFolder, replaceFile, requireOwn, writeContent } from "@mdx-ai/base/disk";
import type { AgentFiles } from "@mdx-ai/parser";
import { type AgentArchive, type ArchivedFile, parseArchive } from "./agent-archive.ts";
import { heldFiles } from "./held-files.ts";
import { readArchive, type Trailer } from "./trailer.ts";

/** The agent of an executable, on disk. */
export interface InstalledAgent {
  readonly name: string;
  readonly version?: string;
  /** An agent directory; if `files` are given, a folder that does not exist. Absolute. */
  readonly directory: string;
  /** Whether nothing of a run is kept: the directory is to be removed when the process ends. */
  readonly isTemporary: boolean;
  /** The agent's files if there is no folder that can be written. */
  readonly files?: AgentFiles;
}

/**
 * Writes the files of the agent in an executable to its folder in the user's state, where its sessions are, too; to a temporary folder if that
 * cannot be written. Without any folder, an agent that needs no files when it runs stays in memory. Files that are right already are not written; files of another version that this one lacks are removed.
 * AGENT.md stays once the user has changed it. Rejects with `TemporaryFolderError`.
 */
export async function installAgent(
  executable: string,
  trailer: Trailer,
  environment: Environment,
): Promise<InstalledAgent> {
  const archive = parseArchive(readArchive(executable, trailer));
  const { name, version } = archive;
  const agent = { name, ...(version !== undefined && { version }) };
  const state = stateDirectory(environment);
  const folder = state && join(state, "built", name);
  if (folder !== undefined && makeFolder(folder)) {
    await installIn(folder, archive);
    return { ...agent, directory: folder, isTemporary: false };
  }
  const made = temporaryFolder(archive);
  if (typeof made !== "string") return { ...agent, directory: `/${name}.agent`, isTemporary: true, files: made };
  await installIn(made, archive);
  return { ...agent, directory: made, isTemporary: true };
}

/** A folder, or the files of an agent that needs none. */
function temporaryFolder(archive: AgentArchive): string | AgentFiles {
  try {
    return makeTemporaryFolder(`${archive.name}-`);
  } catch (error) {
    const files = heldFiles(archive);
    if (files === undefined) throw error;
    return files;
  }
}

/** Whether there is a folder now that only this user can write. */
const makeFolder = (folder: string): boolean =>
  attempt(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    requireOwn(folder, statSync(folder));
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  }) ?? false;

async function installIn(folder: string, { files }: AgentArchive): Promise<void> {
  mkdirSync(join(folder, "state"), { recursive: true, mode: 0o700 });
  const last = readRecord(folder);
  const paths = files.map(({ path }) => path);
  for (const path of last.paths) {
    if (!paths.includes(path) && isOwn(folder, path)) rmSync(join(folder, path), { force: true, recursive: true });
  }
  const wrong = files.filter((file) => !isInstalled(folder, file) && !isOfUser(folder, file, last));
  const notes = files.find(({ path }) => path === NOTES);
  const record = { paths, ...(notes !== undefined && "content" in notes && { notes: sha256(notes.content) }) };
  // Before the files, so that what an interrupted installation wrote is known.
  if (JSON.stringify(record) !== JSON.stringify(last)) await writeRecord(folder, record);
  for (const file of wrong) await write(folder, file);
}

/** What the last start installed. */
interface Installed {
  readonly paths: readonly string[];
  /** The hash of AGENT.md, which users change. */
  readonly notes?: string;
}

/** In the agent's state, where no tool can write. */
const recordFile = (folder: string): string => join(folder, "state", "built.json");

const NOTES = "AGENT.md";

function readRecord(folder: string): Installed {
  const value: unknown = attempt(() => JSON.parse(readFileSync(recordFile(folder), "utf8")));
  if (!isRecord(value)) return { paths: [] };
  const { paths, notes } = value;
  return { paths: Array.isArray(paths) ? paths.filter(isText) : [], ...(isText(notes) && { notes }) };
}

const writeRecord = (folder: string, record: Installed): Promise<void> =>
  replaceFile({ path: recordFile(folder), fill: (draft) => writeContent(draft, JSON.stringify(record)) });

function isOfUser(folder: string, { path }: ArchivedFile, { notes }: Installed): boolean {
  if (path !== NOTES) return false;
  const current = attempt(() => readFileSync(sourceLayout(folder).notes));
  return current !== undefined && sha256(current) !== notes;
}

/** Whether a path is within the folder, with no link on the way: a tool may have made one that leads elsewhere. */
function isOwn(folder: string, path: string): boolean {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return false;
  const above = names.slice(0, -1).map((_name, index) => join(folder, ...names.slice(0, index + 1)));
  return above.every((one) => lstatSync(one, { throwIfNoEntry: false })?.isDirectory() ?? true);
}

/** Makes the folders of a path, in place of links and files on the way. */
function makeParents(folder: string, path: string): void {
  const names = path.split("/").slice(0, -1);
  for (const index of names.keys()) {
    const one = join(folder, ...names.slice(0, index + 1));
    const stats = lstatSync(one, { throwIfNoEntry: false });
    if (stats?.isDirectory()) continue;
    if (stats !== undefined) rmSync(one);
    mkdirSync(one, { mode: 0o700 });
  }
}

function isInstalled(folder: string, file: ArchivedFile): boolean {
  if (!isOwn(folder, file.path)) return false;
  const path = join(folder, file.path);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if ("link" in file) return stats?.isSymbolicLink() === true && readlinkSync(path) === file.link;
  if (stats?.isFile() !== true || stats.size !== file.content.length) return false;
  return file.isExecutable === ((stats.mode & 0o100) !== 0) && readFileSync(path).equals(file.content);
}

async function write(folder: string, file: ArchivedFile): Promise<void> {
  const path = join(folder, file.path);
  makeParents(folder, file.path);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && ("link" in file || !stats.isFile())) rmSync(path, { recursive: true });
  if ("link" in file) return symlinkSync(file.link, path);
  // Compared with the executable at the next start, so nothing needs to wait for the disk.
  const mode = file.isExecutable ? 0o700 : 0o600;
  await replaceFile({ path, mode, isDispensable: true, fill: (draft) => writeContent(draft, file.content) });
}
