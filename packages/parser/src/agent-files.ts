import { locate, type Problem } from "./report.ts";
import { SourceText } from "./source-text.ts";
import type { Diagnostic } from "./types/diagnostic.ts";

/** A file that was read, or the place where one should be. */
export interface AgentFile {
  /** Relative to the agent directory, separated by "/". */
  readonly path: string;
  /** What keeps it from being read as text, if anything does. */
  readonly problem?: Omit<Problem, "offset"> & { readonly offset?: number };
  /** Absent where nothing could be read. */
  readonly text?: string;
}

/** All that reading an agent directory finds. */
export interface AgentFiles {
  readonly agent: AgentFile;
  /** Absent without heartbeat.md. */
  readonly heartbeat?: AgentFile;
  /** Sorted by path. */
  readonly skills: readonly AgentFile[];
  /** Files of `modules/`, sorted. */
  readonly modules: readonly string[];
  /** Folders, and files of `modules/`, that could not be read. */
  readonly folders: readonly AgentFile[];
}

/** What keeps a file from being read, at its place in that file. */
export function diskDiagnostics(file: AgentFile | undefined): readonly Diagnostic[] {
  if (file?.problem === undefined) return [];
  return [locate({ offset: 0, ...file.problem }, new SourceText(file.text ?? ""), file.path)];
}
