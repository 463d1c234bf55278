import type { AgentSettings, PermissionAction } from "@mdx-ai/parser";

/** The programs whose files are understood. */
export type SourceFormat = "claude-agent" | "claude-folder" | "opencode-agent" | "opencode-folder" | "markdown";

/** What became of a part of a source, for the user. */
export interface ImportNote {
  /** "left out": without effect here, so that the user should look at it. */
  readonly kind: "translated" | "left out";
  /** Absolute. */
  readonly file: string;
  /** Counted from 1; absent if it is about the whole file. */
  readonly line?: number;
  /** A line without a full stop. */
  readonly text: string;
}

/** A file of an agent directory, by its path in it, separated by "/": a text, or a copy of another file. */
export type ImportedFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly copyOf: string };

/** A skill; the paths of its files start below its folder. */
export interface ImportedSkill {
  readonly name: string;
  readonly files: readonly ImportedFile[];
  /** The skill's own file, for notes. Absolute. */
  readonly source: string;
}

/** The decision about the calls that a pattern matches; of those of an agent, the last one that matches counts. */
export type ImportedRule = readonly [pattern: string, action: PermissionAction];

/** An agent of another program, in the words of this one. Plain data. */
export interface ImportedAgent {
  readonly format: SourceFormat;
  /** The file or folder that it was read from. Absolute. */
  readonly source: string;
  readonly name: string;
  readonly description?: string;
  /** What the model receives as it is, with "\n" at the line ends. */
  readonly prompt: string;
  /** What becomes settings of the same name. */
  readonly settings: Pick<AgentSettings, "temperature" | "limits"> & { readonly model?: string };
  /** The builtin tools that it may use; absent if it may use all. */
  readonly builtins?: readonly string[];
  readonly rules: readonly ImportedRule[];
  /** The text of AGENT.md; absent if there is none. */
  readonly memory?: string;
  readonly skills: readonly ImportedSkill[];
  /** The subagents of a folder, each a directory of its own. */
  readonly agents: readonly ImportedAgent[];
  /** In the order of the source. */
  readonly notes: readonly ImportNote[];
}

/** Notes on one file, and how to add some; a line is counted from 1. */
export interface NotesOn {
  readonly notes: readonly ImportNote[];
  readonly translated: (text: string, line?: number) => void;
  readonly leftOut: (text: string, line?: number) => void;
}

/** Collects notes about one file. */
export function notesOn(file: string): NotesOn {
  const notes: ImportNote[] = [];
  const add =
    (kind: ImportNote["kind"]) =>
    (text: string, line?: number): void =>
      void notes.push({ kind, file, text, ...(line !== undefined && { line }) });
  return { notes, translated: add("translated"), leftOut: add("left out") };
}
