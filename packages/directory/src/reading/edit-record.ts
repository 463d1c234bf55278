import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, type Environment, isRecord, isText, jsonValue, listOf } from "@mdx-ai/base";
import { realPathOrSame, replaceFileSync } from "@mdx-ai/base/disk";
import { withLock } from "@mdx-ai/base/locks";
import { type FrontEnd, warn } from "../front-end.ts";
import { type EditFiles, editFiles } from "../paths.ts";

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
  readonly files: readonly FileChange[];
}

/**
 * Changes all files, or none: the change is recorded first, so that the next reader completes it if the process is killed, and `steadily`
 * shows no one a part of it. Rejects with the file system's error.
 */
export async function writeEdit(edit: SelfEdit, environment: Environment): Promise<void> {
  const files = editFiles(edit.directory, environment);
  if (files === undefined) return write(edit);
  mkdirSync(dirname(files.unfinished), { recursive: true, mode: 0o700 });
  await withLock(`${files.unfinished}.lock`, async () => {
    replaceFileSync({ path: files.unfinished, text: JSON.stringify(edit), mode: 0o600 });
    try {
      write(edit);
    } catch (error) {
      takeBack(edit);
      throw error;
    } finally {
      end(files);
    }
  });
}

/** Completes a change whose process was killed; leaves files alone that someone has changed since. Rejects with the file system's error. */
export async function finishEdit(
  directory: string,
  files: EditFiles,
  frontEnd: Pick<FrontEnd, "onNotice">,
): Promise<void> {
  await withLock(`${files.unfinished}.lock`, async () => {
    const edit = readEdit(files.unfinished, directory);
    if (edit?.files.every((change) => isKnown(directory, change))) write(edit);
    else if (edit !== undefined) warn(frontEnd)("a change of the agent's own files was interrupted, and is not completed: the files have changed since"); // biome-ignore format: short
    end(files);
  });
}

/** The mark changes first: a reader of the files sees one of both. */
function end({ mark, unfinished }: EditFiles): void {
  replaceFileSync({ path: mark, text: crypto.randomUUID(), mode: 0o600 });
  rmSync(unfinished, { force: true });
}

function write({ directory, files }: SelfEdit): void {
  for (const { path, after } of files) replace(join(directory, path), after);
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
  return { directory, files: listOf(value["files"]).flatMap((one) => fileChange(one) ?? []) };
}

function fileChange(value: unknown): FileChange | undefined {
  if (!isRecord(value) || !isText(value["path"]) || !isText(value["after"])) return undefined;
  const { path, before, after } = value;
  return { path, after, ...(isText(before) && { before }) };
}
