import { createHash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { attempt, type Environment, errorCode, failureOf } from "@mdx-ai/base";
import { draftName } from "@mdx-ai/base/disk";
import { hashFiles } from "./hash-tree.ts";
import { agentFiles, filesIn, folderOfAgent, PACKAGE_LIMITS, type PackageFile } from "./package-files.ts";
import { readArchive } from "./read-archive.ts";
import { readFolder } from "./read-folder.ts";
import { readGit } from "./read-git.ts";
import { type Origin, type Source, sourceError } from "./source.ts";

export interface FetchOptions {
  /** The folder to make. Absolute; it must not exist, its parents may be missing. */
  readonly into: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
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
      return { origin: { type: "folder" }, files: agentOf(await readFolder(source.path), source.path) };
    case "archive":
      return await archiveAgent(source, options);
    case "git": {
      const commit = pinned?.type === "git" ? pinned.commit : undefined;
      const fetched = await readGit(source, { ...options, commit });
      return { origin: { type: "git", commit: fetched.commit }, files: fetched.files };
    }
    case "npm":
    case "oci":
      throw sourceError(`${source.type} is not supported yet`);
  }
}

async function archiveAgent(
  { location, path }: Extract<Source, { readonly type: "archive" }>,
  { pinned }: FetchOptions,
): Promise<ReadAgent> {
  if (!isAbsolute(location)) throw sourceError("addresses of archives are not supported yet");
  const bytes = await readLocalFile(location);
  const integrity = sha512(bytes);
  if (pinned?.type === "archive") requireIntegrity(location, integrity, pinned.integrity);
  const files = await readArchive(bytes);
  return { origin: { type: "archive", integrity }, files: agentOf(files, location, path) };
}

async function readLocalFile(path: string): Promise<Uint8Array> {
  const stats = attempt(() => statSync(path));
  if (!stats?.isFile()) throw sourceError(`${path} does not exist or is not a file`);
  if (stats.size > PACKAGE_LIMITS.bytes) throw sourceError(`${path} is larger than ${PACKAGE_LIMITS.bytes} bytes`);
  return await readFile(path);
}

/** In the form of subresource integrity. */
const sha512 = (bytes: Uint8Array): string => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

function requireIntegrity(what: string, found: string, expected: string): void {
  if (found !== expected) throw sourceError(`${what} changed: its integrity is ${found}, expected ${expected}`);
}

/** The files of the only agent of a package. */
function agentOf(files: readonly PackageFile[], what: string, path?: string): readonly PackageFile[] {
  const folder = folderOfAgent(
    files.map((file) => file.path),
    path,
    (other) => `${what}#:${other}`,
  );
  return filesIn(files, folder);
}

/** Writes the files to a new folder that appears complete or not at all. */
async function writeFiles(into: string, files: readonly PackageFile[]): Promise<void> {
  const draft = join(dirname(into), draftName(`.${basename(into)}`));
  try {
    mkdirSync(draft, { recursive: true });
    for (const { path, bytes, isExecutable } of files) {
      const file = join(draft, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes, { flag: "wx", mode: isExecutable ? 0o755 : 0o644 });
    }
    renameSync(draft, into);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (errorCode(error) === undefined) throw error;
    throw sourceError(failureOf(`cannot write ${into}`, error), error);
  }
}
