import { isRecord, jsonValue } from "@mdx-ai/base";
import { isNewer, NewerVersionError } from "@mdx-ai/base/disk";
import type { LineMarks, MarkedLine } from "../journal/line-marks.ts";
import type { SeenContent } from "../types/tool.ts";

/** The version of the format, in each line. */
export const CHECKPOINT_VERSION = 1;

/** What a file held before a tool changed it. */
export type KeptContent =
  | { readonly state: "absent" }
  /** The store has it by its address, the SHA-256. */
  | { readonly state: "kept"; readonly address: string; readonly hash: string; readonly mode: number }
  | { readonly state: "left_out"; readonly reason: string };

/** A tool of this program replaces a file; written before it does. */
interface FileLine {
  readonly type: "file";
  readonly prompt: number;
  readonly call: string;
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Absent if it is what a tool of the same prompt left there. */
  readonly before?: KeptContent;
  /** `contentHash` of the new content. */
  readonly after: string;
}

/** A tool runs whose changes are only seen by what they leave, such as a shell command. */
interface CommandBegunLine {
  readonly type: "command_begun";
  readonly prompt: number;
  readonly call: string;
}

/** The files that changed while that tool ran, most likely by it. */
export interface CommandLine extends Omit<CommandBegunLine, "type"> {
  readonly type: "command";
  readonly changed: readonly SeenFile[];
  /** Whether all files were looked at. */
  readonly isWhole: boolean;
}

/**
 * A file with its `contentHash`, without if it is too large, or so much changed that it was not read, "absent" if it was removed; or a folder
 * from which files were removed.
 */
export interface SeenFile {
  /** Absolute. */
  readonly path: string;
  readonly hash?: string;
  readonly isFolder?: true;
}

/** A tool read or wrote a file: a later change is that of others. */
interface SeenLine extends SeenContent {
  readonly type: "seen";
  readonly prompt: number;
  readonly call: string;
}

/** The changes of all prompts after this one were taken back. */
interface UndoneLine {
  readonly type: "undone";
  readonly to: number;
}

/** A line of the index of a session's checkpoints. */
export type CheckpointLine = (FileLine | CommandBegunLine | CommandLine | SeenLine | UndoneLine) & MarkedLine;

/** A change that was not taken back, or what was seen of a file. */
export type ChangeLine = FileLine | CommandBegunLine | CommandLine | SeenLine;

/**
 * Reads the lines of an index, without those that cannot be read, those that a program of another user wrote, and what was taken
 * back. A foreign line could name any file. Throws `NewerVersionError`, for the file of this path.
 */
export function readCheckpointLines(path: string, texts: readonly string[], marks?: LineMarks): readonly ChangeLine[] {
  let lines: ChangeLine[] = [];
  for (const text of texts) {
    const value = jsonValue(text);
    if (isRecord(value) && isNewer(value["v"], CHECKPOINT_VERSION)) throw new NewerVersionError(path);
    if (!isCheckpointLine(value) || marks?.isOwn(value) === false) continue;
    if (value.type === "undone") lines = lines.filter(({ prompt }) => prompt <= value.to);
    else lines.push(value);
  }
  return lines;
}

function isCheckpointLine(value: unknown): value is CheckpointLine {
  if (!isRecord(value) || value["v"] !== CHECKPOINT_VERSION) return false;
  if (value["type"] === "undone") return typeof value["to"] === "number";
  if (typeof value["prompt"] !== "number" || typeof value["call"] !== "string") return false;
  switch (value["type"]) {
    case "file":
      return (
        [value["path"], value["after"]].every((part) => typeof part === "string") &&
        (value["before"] === undefined || isKept(value["before"]))
      );
    case "command_begun":
      return true;
    case "seen":
      return [value["path"], value["version"], value["hash"] ?? ""].every((part) => typeof part === "string");
    case "command":
      return typeof value["isWhole"] === "boolean" && Array.isArray(value["changed"]) && value["changed"].every(isSeen);
    default:
      return false;
  }
}

function isKept(value: unknown): value is KeptContent {
  if (!isRecord(value)) return false;
  if (value["state"] === "kept") {
    return (
      [value["address"], value["hash"]].every((part) => typeof part === "string") && typeof value["mode"] === "number"
    );
  }
  return value["state"] === "absent" || (value["state"] === "left_out" && typeof value["reason"] === "string");
}

const isSeen = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value["path"] === "string" &&
  ["string", "undefined"].includes(typeof value["hash"]) &&
  (value["isFolder"] === undefined || value["isFolder"] === true);

/** What is known of the changes of one file in some prompts. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  /** Its content before the first change; undefined if a command changed it first. */
  readonly before: KeptContent | undefined;
  /** `contentHash` of its content after the last change; undefined if it was too large. */
  readonly after: string | undefined;
  /** That of the content before the last change, if a tool left it: a write that failed or was cut short changed nothing. */
  readonly replaced?: string | undefined;
  /** Whether it is a folder from which files were removed. */
  readonly isFolder?: true;
}

/** Whether a file, whose hash is as `currentHash` gives it, has its earlier content. */
export const isAsBefore = (before: Exclude<KeptContent, { state: "left_out" }>, current: string | undefined): boolean =>
  current === (before.state === "absent" ? "absent" : before.hash);

/** Whether a file is as its last changes by tools left it. One that is too large, or is none, counts as changed. */
export const isAsLeft = (
  { after, replaced }: Pick<FileChange, "after" | "replaced">,
  current: string | undefined,
): boolean => current !== undefined && [after, replaced].includes(current);

/** The changes of files in some prompts. */
export interface FileChanges {
  /** Sorted by path. */
  readonly files: readonly FileChange[];
  /** Whether each command ended, and all files were looked at after it. */
  readonly isWhole: boolean;
}

/** Merges the lines of an index, in their order, by file. Pure. */
export function fileChanges(lines: readonly ChangeLine[]): FileChanges {
  const files = new Map<string, FileChange>();
  const ended = new Set<string>();
  for (const line of lines) {
    if (line.type === "file") addFile(files, line);
    if (line.type === "command") {
      addCommand(files, line);
      if (line.isWhole) ended.add(callOf(line));
    }
  }
  const isWhole = lines.every((line) => line.type !== "command_begun" || ended.has(callOf(line)));
  return { files: [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1)), isWhole };
}

/** Whether each of these calls of a prompt, by which tools wrote a file, has a line of its own. Ids may be given twice. Pure. */
export function areRecorded(calls: readonly string[], lines: readonly ChangeLine[]): boolean {
  const left = lines.flatMap((line) => (line.type === "file" ? [line.call] : []));
  return calls.every((call) => {
    const index = left.indexOf(call);
    if (index !== -1) left.splice(index, 1);
    return index !== -1;
  });
}

const callOf = ({ prompt, call }: { readonly prompt: number; readonly call: string }): string => `${prompt} ${call}`;

/** Of a file whose first line in the prompt, which had its earlier content, cannot be read. */
const LOST: KeptContent = { state: "left_out", reason: "its record is damaged" };

function addFile(files: Map<string, FileChange>, { path, before, after }: FileLine): void {
  const known = files.get(path);
  files.set(path, {
    path,
    before: known === undefined ? (before ?? LOST) : known.before,
    after,
    replaced: known && replacedOf(before, known),
  });
}

/** The hash of what a write replaced, if a tool left that. */
function replacedOf(before: KeptContent | undefined, known: FileChange): string | undefined {
  if (before === undefined) return known.after;
  return before.state === "kept" && isAsLeft(known, before.hash) ? before.hash : undefined;
}

function addCommand(files: Map<string, FileChange>, { changed }: CommandLine): void {
  for (const { path, hash, isFolder } of changed) {
    files.set(path, { path, before: files.get(path)?.before, after: hash, ...(isFolder && { isFolder }) });
  }
}
