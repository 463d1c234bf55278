import { chmodSync, chownSync, constants, lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode, isWithin } from "@mdx-ai/base";
import { replaceFileSync } from "@mdx-ai/base/disk";
import type { AgentDirectory, AgentFiles, Diagnostic } from "@mdx-ai/parser";
import { DirectoryError } from "../../directory-error.ts";
import { applyFixes, type FindMistakes, withEdits } from "../../fixing/apply-fixes.ts";
import { hasAccess } from "../../paths.ts";
import { withModelDiagnostics } from "../../reading/read-directory.ts";

/** The changes to a file. */
export interface FileFix {
  /** Relative to the agent directory, separated by "/". */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** The mistakes that are fixed in `after`. */
  readonly fixed: readonly Diagnostic[];
  /** How many escapes were removed from the prose. */
  readonly escapes: number;
}

export interface FixOptions {
  /** Whether to remove escapes that Markdown does not need. Default: false. */
  readonly escapes?: boolean;
}

/** The fixable mistakes; none in a file that is not UTF-8, since writing would change more of it. */
export function fixableDiagnostics({ diagnostics }: AgentDirectory): readonly Diagnostic[] {
  const unwritable = new Set(diagnostics.filter(({ rule }) => rule === "file-encoding").map(({ file }) => file));
  return diagnostics.filter(({ file, fix }) => fix !== undefined && !unwritable.has(file));
}

/**
 * Applies the fixes of a directory to its files, one file at a time. A file without fixes is not written.
 * Rejects with `DirectoryError` ("unfixable") or a file system error; files that were yielded before stay fixed.
 */
export async function* fixDirectory(
  directory: AgentDirectory,
  { escapes = false }: FixOptions = {},
): AsyncGenerator<FileFix> {
  // In MDX, which needs escapes, they stay.
  const escaped = directory.files.filter(({ file, kind }) => escapes && file === "agent.mdx" && kind === "markdown");
  const names = escaped.map(({ file }) => file);
  for (const file of new Set([...names, ...fixableDiagnostics(directory).map((diagnostic) => diagnostic.file)])) {
    const fix = await fixFile(directory, file, names.includes(file));
    if (fix !== undefined) yield fix;
  }
}

async function fixFile(
  { path, definition }: AgentDirectory,
  file: string,
  hasEscapes: boolean,
): Promise<FileFix | undefined> {
  const findMistakes = await finderFor(file, definition.modules);
  const before = readText(join(path, file));
  if (findMistakes === undefined || before === undefined) return undefined;
  const { escapeRemovals } = await import("@mdx-ai/parser/parse");
  const removals = hasEscapes ? await escapeRemovals(before) : [];
  const { text: after, fixed } = await applyFixes(withEdits(before, removals), findMistakes);
  if (after === before) return undefined;
  writeFixedFile({ directory: path, file, before, after });
  return { file, before, after, fixed, escapes: removals.length };
}

/** Finds the mistakes in a file of this name as a reader of its directory does. */
async function finderFor(file: string, modules: readonly string[]): Promise<FindMistakes | undefined> {
  const filesOf = readFilesOf(file, modules);
  if (filesOf === undefined) return undefined;
  const { defineAgent } = await import("@mdx-ai/parser/parse");
  return async (text) => withModelDiagnostics(await defineAgent(filesOf(text)));
}

/** An agent directory with only one file. */
function readFilesOf(path: string, modules: readonly string[]): ((text: string) => AgentFiles) | undefined {
  const others = { skills: [], modules, folders: [] };
  if (path === "agent.mdx") return (text) => ({ ...others, agent: { path, text } });
  const agent = { path: "agent.mdx" };
  if (path === "heartbeat.md") return (text) => ({ ...others, agent, heartbeat: { path, text } });
  return path.startsWith("skills/") ? (text) => ({ ...others, agent, skills: [{ path, text }] }) : undefined;
}

/** With its byte-order mark; undefined for a file that is not UTF-8. */
function readText(path: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

interface FixedFile {
  /** The agent directory. Absolute. */
  readonly directory: string;
  /** Relative to it. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Replaces a file atomically, keeping its mode and owner. Throws `DirectoryError` ("unfixable") if it is not writable, is outside
 * the directory or no longer contains `before`; otherwise the file system's error.
 */
function writeFixedFile({ directory, file, before, after }: FixedFile): void {
  const path = realpathSync(join(directory, file));
  if (!isWithin(realpathSync(directory), path)) {
    throw new DirectoryError("unfixable", `${file} leads to ${path}, outside of the directory; fix it there`);
  }
  const stats = statSync(path);
  refuseReadOnly(path, file, stats);
  const beforeRename = (draft: string): void => {
    copyOwnerAndMode(draft, stats);
    if (readFileSync(path, "utf8") !== before)
      throw new DirectoryError("unfixable", `${file} has changed since it was read; try again`);
  };
  replaceFileSync({ path, text: after, beforeRename });
}

/** Checked here, since a rename replaces even a read-only file, and root may write any file. */
function refuseReadOnly(path: string, file: string, { mode }: Stats): void {
  if ((mode & 0o222) !== 0 && hasAccess(path, constants.W_OK)) return;
  throw new DirectoryError("unfixable", `${file} is read-only; its fixes were not written`);
}

function copyOwnerAndMode(draft: string, { uid, gid, mode }: Stats): void {
  const own = lstatSync(draft);
  if (own.uid !== uid || own.gid !== gid) chownIfPossible(draft, uid, gid);
  chmodSync(draft, mode & 0o7777);
}

/** Only root can change the owner; for other users the file becomes their own, as with an editor. */
function chownIfPossible(path: string, uid: number, gid: number): void {
  try {
    chownSync(path, uid, gid);
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
  }
}
