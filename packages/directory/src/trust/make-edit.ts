import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, isRecord, isText, jsonValue, listOf } from "@mdx-ai/base";
import { realPathOrSame, replaceFileSync } from "@mdx-ai/base/disk";
import { withLock } from "@mdx-ai/base/locks";
import { type FrontEnd, warn } from "../front-end.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { readDirectory } from "../reading/read-directory.ts";
import { unfinishedEdit } from "./trust-file.ts";
import { keepTrustOf } from "./trust-state.ts";

/** A file that changes. */
export interface FileChange {
  /** Relative to the directory. */
  readonly path: string;
  /** Absent for a new file. */
  readonly before?: string;
  readonly after: string;
}

/** A change of an agent's own files that its user agreed to. */
export interface SelfEdit {
  /** The real path. */
  readonly directory: string;
  /** Whether the directory stays trusted. */
  readonly isTrusted: boolean;
  readonly files: readonly FileChange[];
}

/**
 * Changes all files, or none: the change is recorded first, in the user's own folder where no agent writes, so that the next run completes
 * it if the process is killed. Rejects with the file system's error.
 */
export async function makeEdit(edit: SelfEdit, frontEnd: FrontEnd): Promise<void> {
  const file = unfinishedEdit(edit.directory, frontEnd.environment);
  if (file === undefined) return write(edit, frontEnd);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  await withLock(`${file}.lock`, async () => {
    replaceFileSync({ path: file, text: JSON.stringify(edit), mode: 0o600 });
    try {
      await write(edit, frontEnd);
    } catch (error) {
      takeBack(edit);
      throw error;
    } finally {
      rmSync(file, { force: true });
    }
  });
}

/** Completes a change whose process was killed; leaves files alone that someone has changed since. Rejects with the file system's error. */
export async function finishEdit(directory: string, frontEnd: FrontEnd): Promise<void> {
  const file = unfinishedEdit(directory, frontEnd.environment);
  if (file === undefined) return;
  await withLock(`${file}.lock`, async () => {
    const edit = readEdit(file, directory);
    if (edit?.files.every((change) => isKnown(edit.directory, change))) await write(edit, frontEnd);
    else if (edit !== undefined) warn(frontEnd)("a change of the agent's own files was interrupted, and is not completed: the files have changed since"); // biome-ignore format: short
    rmSync(file, { force: true });
  });
}

async function write({ directory, isTrusted, files }: SelfEdit, frontEnd: FrontEnd): Promise<void> {
  for (const { path, after } of files) replace(join(directory, path), after);
  if (!isTrusted) return;
  const read = await readDirectory(directory, frontEnd);
  await keepTrustOf(read, await readManifest(read), frontEnd);
}

function replace(path: string, text: string): void {
  if (textOf(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  replaceFileSync({ path, text, mode: (attempt(() => statSync(path).mode) ?? 0o644) & 0o777 });
}

/** What was written before an error. */
function takeBack({ directory, files }: SelfEdit): void {
  for (const { path, before, after } of files) {
    const file = join(directory, path);
    if (textOf(file) !== after) continue;
    attempt(() => (before === undefined ? rmSync(file) : replace(file, before)));
  }
}

const textOf = (file: string): string | undefined => attempt(() => readFileSync(file, "utf8"));

/** Whether a file is as it was before or after the change, and no link leads elsewhere. */
function isKnown(directory: string, { path, before, after }: FileChange): boolean {
  const file = join(directory, path);
  const text = textOf(file);
  return realPathOrSame(file) === file && (text === before || text === after);
}

function readEdit(file: string, directory: string): SelfEdit | undefined {
  const value: unknown = jsonValue(textOf(file) ?? "");
  if (!isRecord(value) || value["directory"] !== directory) return undefined;
  const files = listOf(value["files"]).flatMap((one) => fileChange(one) ?? []);
  return { directory, isTrusted: value["isTrusted"] === true, files };
}

function fileChange(value: unknown): FileChange | undefined {
  if (!isRecord(value) || !isText(value["path"]) || !isText(value["after"])) return undefined;
  const { path, before, after } = value;
  return { path, after, ...(isText(before) && { before }) };
}
