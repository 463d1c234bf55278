import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Environment, quoted } from "@mdx-ai/base";
import { makeTemporaryFolder } from "@mdx-ai/base/disk";
import { Git, GitError } from "./git-command.ts";
import {
  type FoundEntry,
  filesIn,
  folderOfAgent,
  PACKAGE_LIMITS,
  type PackageFile,
  safeFiles,
  tooManyBytes,
  tooManyFiles,
} from "./package-files.ts";
import { sourceText } from "./parse-source.ts";
import { type Source, sourceError } from "./source.ts";

type GitSource = Extract<Source, { readonly type: "git" }>;

export interface GitRequest {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** The commit to fetch instead of the source's ref. */
  readonly commit?: string | undefined;
}

export interface FetchedCommit {
  readonly commit: string;
  /** Of the agent's folder. */
  readonly files: readonly PackageFile[];
}

/**
 * Fetches one commit into an empty repository in a temporary folder, and reads the agent's files as they are stored. Nothing is checked out,
 * so that no hook, filter or setting of the repository has an effect; submodules and large files (LFS) are refused. Rejects with
 * `DirectoryError` ("source").
 */
export async function readGit(source: GitSource, request: GitRequest): Promise<FetchedCommit> {
  const folder = makeTemporaryFolder("mdx-ai-git-");
  try {
    const git = new Git({ folder: join(folder, "repository"), url: source.url, ...request });
    await git.run(["init", "--quiet", "--bare", "--template="]);
    const commit = await fetchCommit(git, source, request.commit);
    return { commit, files: await readCommit(git, source, commit) };
  } catch (error) {
    if (error instanceof GitError) throw sourceError(`cannot fetch ${source.url}: ${error.message}`, error);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fetchCommit(git: Git, { url, ref = "HEAD" }: GitSource, pinned: string | undefined): Promise<string> {
  if (pinned === undefined) return await git.fetch(ref);
  try {
    return await git.fetch(pinned);
  } catch (error) {
    // Some servers give only the commits that a branch or a tag names now.
    const now = await git.fetch(ref).catch(() => undefined);
    if (now === pinned) return now;
    if (now === undefined) throw error;
    throw sourceError(`${url} no longer has the commit ${pinned}; ${ref} is now ${now}`, error);
  }
}

interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly object: string;
  /** In bytes; 0 for a submodule. */
  readonly size: number;
}

async function readCommit(git: Git, source: GitSource, commit: string): Promise<readonly PackageFile[]> {
  const entries = await listTree(git, source.path === undefined ? commit : `${commit}:${source.path}`, source);
  const folder = folderOfAgent(
    entries.map(({ path }) => path),
    source.path === undefined ? undefined : "",
    {
      name: sourceText(source),
      nameFolder: (path) =>
        sourceText({ ...source, path: source.path === undefined ? path : `${source.path}/${path}` }),
    },
  );
  const chosen = filesIn(entries, folder);
  requireLimits(chosen);
  // The names are checked before any content is read.
  safeFiles(chosen.map((entry) => foundEntry(entry, new Uint8Array())));
  const contents = await git.contents(chosen.map(({ object }) => object));
  const files = safeFiles(chosen.map((entry, index) => foundEntry(entry, contents[index] ?? new Uint8Array())));
  for (const { path, bytes } of files) requireStored(path, bytes);
  return files;
}

async function listTree(git: Git, tree: string, { path }: GitSource): Promise<readonly TreeEntry[]> {
  try {
    return (await git.lines(["ls-tree", "-r", "-z", "--long", "--full-tree", tree], MAX_ENTRIES)).map(treeEntry);
  } catch (error) {
    if (!(error instanceof GitError) || path === undefined) throw error;
    throw sourceError(`the repository has no folder ${quoted(path)}`, error);
  }
}

/** Of a whole repository, of which the agent may be a small part. */
const MAX_ENTRIES = 100_000;

/** A line such as `100644 blob 5c1…  42<tab>agent.mdx`. */
function treeEntry(line: string): TreeEntry {
  const tab = line.indexOf("\t");
  const [mode = "", , object = "", size = ""] = line.slice(0, tab).split(/ +/);
  return { path: line.slice(tab + 1), mode, object, size: size === "-" ? 0 : Number(size) };
}

function requireLimits(entries: readonly TreeEntry[]): void {
  if (entries.length > PACKAGE_LIMITS.files) throw tooManyFiles(PACKAGE_LIMITS.files);
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  if (!(bytes <= PACKAGE_LIMITS.bytes)) throw tooManyBytes(PACKAGE_LIMITS.bytes);
}

function foundEntry({ path, mode }: TreeEntry, bytes: Uint8Array): FoundEntry {
  if (mode === "100644" || mode === "100664" || mode === "100755") {
    return { type: "file", path, bytes, isExecutable: mode === "100755" };
  }
  const what =
    mode === "120000" ? "a symbolic link" : mode === "160000" ? "a submodule" : `of the unknown mode ${mode}`;
  return { type: "refused", path, what };
}

const LFS = "version https://git-lfs.github.com/spec/v1\n";

function requireStored(path: string, bytes: Uint8Array): void {
  if (bytes.length > 1024 || !Buffer.from(bytes).toString("latin1").startsWith(LFS)) return;
  throw sourceError(`${quoted(path)} is not in the repository but in Git LFS, which is not fetched`);
}
