import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { attempt, type Environment } from "@mdx-ai/base";
import { agentsIn, isAgentDirectory } from "@mdx-ai/base/disk";
import { isFolder } from "../paths.ts";
import { hashFiles } from "./hash-tree.ts";
import { httpRequest, requireSuccess, UNCHANGED } from "./http-request.ts";
import { requireIntegrity, sha512 } from "./integrity.ts";
import { npmSettings } from "./npm-settings.ts";
import {
  agentFiles,
  filesIn,
  folderOfAgent,
  PACKAGE_LIMITS,
  type PackageFile,
  tooManyBytes,
  unwrapped,
} from "./package-files.ts";
import { sourceText } from "./parse-source.ts";
import { readArchive } from "./read-archive.ts";
import { readFolder } from "./read-folder.ts";
import { readGit } from "./read-git.ts";
import { readNpm } from "./read-npm.ts";
import { readOci } from "./read-oci.ts";
import { type Origin, type Source, sourceError } from "./source.ts";
import { writeFiles } from "./write-files.ts";

export interface FetchOptions {
  /** The folder to make. Absolute; it must not exist, its parents may be missing. */
  readonly into: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Where npm's settings of a project are, if any. Absolute. */
  readonly currentDirectory?: string;
  /** An earlier fetch's origin: the same files are fetched again, or the fetch fails. */
  readonly pinned?: Origin;
}

export interface FetchedAgent {
  /** Contains the agent's files and nothing else. Absolute. */
  readonly folder: string;
  readonly origin: Origin;
  /** As `hashTree` computes it of the folder. */
  readonly hash: string;
  /** Paths in the source, or folders that end with "/", that are never part of an agent, such as `sessions/`. */
  readonly leftOut: readonly string[];
}

/**
 * Fetches an agent and writes its files to a new folder. Runs nothing of it. Rejects with `DirectoryError` ("source") if there is no agent,
 * if anything in it is unsafe to unpack, or if it is not the pinned one, or with the signal's reason; the folder does not exist then.
 */
export async function fetchSource(source: Source, options: FetchOptions): Promise<FetchedAgent> {
  const { origin, files } = await readSource(source, options);
  options.signal.throwIfAborted();
  const agent = agentFiles(files);
  await writeFiles(options.into, agent.files);
  return { folder: options.into, origin, hash: hashFiles(agent.files), leftOut: agent.leftOut };
}

type ArchiveSource = Extract<Source, { readonly type: "archive" }>;

interface ReadAgent {
  readonly origin: Origin;
  /** Of the agent's folder. */
  readonly files: readonly PackageFile[];
}

async function readSource(source: Source, options: FetchOptions): Promise<ReadAgent> {
  const { pinned } = options;
  if (pinned !== undefined && pinned.type !== source.type) {
    throw sourceError(`the source is of type ${source.type}, but the pinned one of type ${pinned.type}`);
  }
  switch (source.type) {
    case "folder":
      return { origin: { type: "folder" }, files: await readFolder(folderOf(source.path)) };
    case "archive":
      return await archiveAgent(source, options);
    case "git": {
      const commit = pinned?.type === "git" ? pinned.commit : undefined;
      const fetched = await readGit(source, { ...options, commit });
      return { origin: { type: "git", commit: fetched.commit }, files: fetched.files };
    }
    case "npm": {
      const settings = npmSettings(options.environment, options.currentDirectory);
      const fetched = await readNpm(source, {
        ...options,
        settings,
        pinned: pinned?.type === "npm" ? pinned : undefined,
      });
      return { origin: fetched.origin, files: agentOf(fetched.files, source) };
    }
    case "oci": {
      const fetched = await readOci(source, { ...options, pinned: pinned?.type === "oci" ? pinned : undefined });
      return { origin: fetched.origin, files: agentOf(fetched.files, source) };
    }
  }
}

/** The folder itself, or the only agent directory in it. Nothing else is read: it may be a home folder. */
function folderOf(path: string): string {
  if (isAgentDirectory(path)) return path;
  const [only, ...others] = agentsIn(path);
  if (only !== undefined && others.length === 0) return only;
  if (!isFolder(path)) throw sourceError(`there is no folder ${path}`);
  const what =
    only === undefined ? "no agent.mdx at its root or in one folder" : `agents in ${[only, ...others].join(", ")}`;
  throw sourceError(`${path} has ${what}`);
}

async function archiveAgent(source: ArchiveSource, { pinned, signal }: FetchOptions): Promise<ReadAgent> {
  const { location, path } = source;
  const bytes = isAbsolute(location) ? await readLocalFile(location) : await download(location, signal);
  const integrity = sha512(bytes);
  if (pinned?.type === "archive") requireIntegrity(location, integrity, pinned.integrity);
  const files = await readArchive(bytes);
  const isOfNpm = path === undefined && files.some((file) => file.path === "package/package.json");
  return { origin: { type: "archive", integrity }, files: agentOf(isOfNpm ? unwrapped(files) : files, source, path) };
}

async function readLocalFile(path: string): Promise<Uint8Array> {
  const stats = attempt(() => statSync(path));
  if (!stats?.isFile()) throw sourceError(`${path} does not exist or is not a file`);
  if (stats.size > PACKAGE_LIMITS.bytes) throw tooManyBytes(PACKAGE_LIMITS.bytes);
  return await readFile(path);
}

async function download(location: string, signal: AbortSignal): Promise<Uint8Array> {
  const answer = await httpRequest({
    url: new URL(location),
    headers: UNCHANGED,
    signal,
    maxBytes: PACKAGE_LIMITS.bytes,
  });
  return requireSuccess(answer, location).bytes;
}

/** The files of the only agent of a package. */
function agentOf(files: readonly PackageFile[], source: Source, path?: string): readonly PackageFile[] {
  const name = sourceText(source);
  const folder = folderOfAgent(
    files.map((file) => file.path),
    path,
    { name, nameFolder: (other) => (source.type === "archive" ? `${name}#:${other}` : undefined) },
  );
  return filesIn(files, folder);
}
