import type { ChangeLine, CommandLine, FileLine, KeptContent } from "./checkpoint-line.ts";

/** What is known of the changes of one file in some prompts. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  /** Its content before the first change; undefined if a command changed it first. */
  readonly before: KeptContent | undefined;
  /** SHA-256 of its content after the last change; undefined if it was too large. */
  readonly after: string | undefined;
  /** Whether it is a folder from which files were removed. */
  readonly isFolder?: true;
}

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

const callOf = ({ prompt, call }: { readonly prompt: number; readonly call: string }): string => `${prompt} ${call}`;

function addFile(files: Map<string, FileChange>, { path, before, after }: FileLine): void {
  const known = files.get(path);
  files.set(path, { path, before: known === undefined ? before : known.before, after });
}

function addCommand(files: Map<string, FileChange>, { changed }: CommandLine): void {
  for (const { path, hash, isFolder } of changed) {
    files.set(path, { path, before: files.get(path)?.before, after: hash, ...(isFolder && { isFolder }) });
  }
}
