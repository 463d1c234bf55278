import { constants, existsSync, readFileSync } from "node:fs";
import { appendFile, chmod, copyFile, mkdir, rename, rm, truncate } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { attempt, findKeys, isRecord, isWithin, sha256 } from "@mdx-ai/base";
import { draftName, installFolders, isCompiled, programFolder, readBytes, readOpened } from "@mdx-ai/base/disk";
import type { AgentDirectory } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import { kebabCase } from "../importing/source-file.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { isFile } from "../paths.ts";
import { type ArchivedFile, archiveBytes } from "./agent-archive.ts";
import { shippedFiles } from "./shipped-files.ts";
import { readTrailer, trailerBytes } from "./trailer.ts";

export interface BuildOptions {
  /** The new executable. Absolute. */
  readonly output: string;
  /** The executable of mdx-ai, also for another platform. Absolute. Default: the one that runs, or the one installed beside this program. */
  readonly program?: string | undefined;
  /** Whether files may contain what looks like a key. */
  readonly allowsKeys?: boolean;
  /** Default: the name in the agent's package.json, else the agent's own. */
  readonly name?: string | undefined;
}

/** A built executable. */
export interface BuiltAgent {
  readonly name: string;
  /** How many files of the agent it contains. */
  readonly files: number;
  /** Bytes of the whole executable. */
  readonly size: number;
  /** Files of the directory that it does not contain, since they may hold secrets. */
  readonly leftOut: readonly string[];
}

/**
 * Writes one executable that contains mdx-ai and an agent: a copy of the program with the agent's files behind it. The same files and program
 * give the same bytes. Runs nothing. Rejects with `DirectoryError` ("invalid") if the agent needs files of other folders, or without a program.
 */
export async function buildAgent(directory: AgentDirectory, options: BuildOptions): Promise<BuiltAgent> {
  const program = options.program ?? installedProgram();
  if (!isProgram(program)) throw new DirectoryError("invalid", `${program} is no executable of mdx-ai`);
  const { realPath } = directory;
  await requireInside(directory);
  const { files, leftOut } = shippedFiles(realPath, [options.output]);
  if (options.allowsKeys !== true) refuseKeys(files);
  const { name, version } = packageOf(realPath);
  const own = options.name ?? name ?? directory.definition.identity.name;
  const archive = { name: folderName(own), ...(version !== undefined && { version }), files };
  const bytes = archiveBytes(archive);
  const start = readTrailer(program)?.start ?? Bun.file(program).size;
  await writeExecutable(options.output, { program, start, added: Buffer.concat([bytes, trailerBytes(bytes.length)]) });
  return { name: archive.name, files: files.length, size: Bun.file(options.output).size, leftOut };
}

/** A folder's name for an agent; names that differ in more than case and separators have different ones. */
function folderName(name: string): string {
  const words = kebabCase(name, "agent");
  const isWhole =
    words ===
    name
      .toLowerCase()
      .replace(/^@/, "")
      .replace(/[\s_./-]+/g, "-");
  return isWhole ? words : `${words}-${sha256(name).slice(0, 8)}`;
}

/** Rejects if code or skills of the agent are elsewhere: the executable would lack them. */
async function requireInside(directory: AgentDirectory): Promise<void> {
  if (directory.source !== undefined) {
    throw new DirectoryError(
      "invalid",
      `${directory.source} is a single file; make a directory of it with mdx-ai init`,
    );
  }
  const { hashes, agents } = await readManifest(directory);
  const all = [...hashes.keys(), ...[...agents].flatMap(([path, { manifest }]) => [path, ...manifest.hashes.keys()])];
  const outside = all.find((path) => !isWithin(directory.realPath, path));
  if (outside === undefined) return;
  throw new DirectoryError("invalid", `the agent uses ${outside}, which is outside of its directory; copy it there`);
}

/** Larger files are data. */
const MAX_TEXT = 2 ** 20;

/** Throws for a file of the agent that contains what looks like a key: everyone has it who has the executable. */
function refuseKeys(files: readonly ArchivedFile[]): void {
  for (const file of files) {
    if ("link" in file || file.content.length > MAX_TEXT || /(?:^|\/)node_modules\//.test(file.path)) continue;
    const text = new TextDecoder().decode(file.content);
    const [key] = text.includes("\0") ? [] : findKeys(text);
    if (key === undefined) continue;
    const place = `${file.path}:${text.slice(0, key.index).split("\n").length}`;
    const hint = "name a variable in its place, or build it all the same with --allow-keys";
    throw new DirectoryError("invalid", `${place} contains what looks like a ${key.kind}; ${hint}`);
  }
}

function packageOf(directory: string): { readonly name?: string; readonly version?: string } {
  const value: unknown = attempt(() => JSON.parse(readFileSync(join(directory, "package.json"), "utf8")));
  if (!isRecord(value)) return {};
  const { name, version } = value;
  return { ...(typeof name === "string" && { name }), ...(typeof version === "string" && { version }) };
}

/** The executable of this machine: the running one, or that of the package for this platform. Throws `DirectoryError` ("invalid"). */
function installedProgram(): string {
  if (isCompiled) return process.execPath;
  const path = `node_modules/@mdx-ai/${process.platform}-${process.arch}/bin/mdx-ai`;
  // The second is that of a clone.
  const found = [...installFolders().map((folder) => join(folder, path)), join(programFolder, "../dist/mdx-ai")].find(
    isFile,
  );
  if (found !== undefined) return found;
  throw new DirectoryError("invalid", "there is no executable of mdx-ai to copy; name one with --program FILE");
}

/** The first bytes of executables of Linux and macOS, in hexadecimal digits. */
const HEADS: readonly string[] = ["7f454c46", "cffaedfe"];

/** Whether a file is an executable of a platform that mdx-ai has. */
const isProgram = (path: string): boolean =>
  HEADS.includes(attempt(() => readOpened(path, (file) => readBytes(file, 0, 4).toString("hex"))) ?? "");

interface Executable {
  readonly program: string;
  /** Bytes of the program without an agent. */
  readonly start: number;
  readonly added: Uint8Array;
}

async function writeExecutable(output: string, { program, start, added }: Executable): Promise<void> {
  if (existsSync(output) && !isFile(output)) throw new DirectoryError("invalid", `${output} is not a file`);
  await mkdir(dirname(output), { recursive: true });
  const draft = resolve(dirname(output), draftName(".mdx-ai-build"));
  try {
    await copyFile(program, draft, constants.COPYFILE_FICLONE);
    await chmod(draft, 0o755);
    await truncate(draft, start);
    await appendFile(draft, added);
    await rename(draft, output);
  } finally {
    await rm(draft, { force: true });
  }
}
