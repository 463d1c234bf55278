import type { AgentSettings, HookSettings, PermissionAction } from "@mdx-ai/parser";
import type { ProgramFolder } from "./program-folders.ts";

/** The supported programs. */
export type SourceFormat = "claude-agent" | "opencode-agent" | "markdown" | ProgramFolder["format"];

/** A note for the user about a part of a source. */
export interface ImportNote {
  /** "left out": without effect here, so the user should review it. */
  readonly kind: "translated" | "left out";
  /** Absolute. */
  readonly file: string;
  /** Counted from 1; absent for the whole file. */
  readonly line?: number;
  /** A line without a full stop. */
  readonly text: string;
}

/** A file of an agent directory, by its path in it, separated by "/": a text, or a copy of another file. */
export type ImportedFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly copyOf: string };

/** A skill. The paths of its files are relative to its folder. */
export interface ImportedSkill {
  readonly name: string;
  readonly files: readonly ImportedFile[];
  /** The skill's own file, for notes. Absolute. */
  readonly source: string;
}

/** The decision about calls that match a pattern. The last matching rule of an agent decides. */
export type ImportedRule = readonly [pattern: string, action: PermissionAction];

/** A translated agent of another program. Plain data. */
export interface ImportedAgent {
  readonly format: SourceFormat;
  /** The file or folder that it was read from. Absolute. */
  readonly source: string;
  readonly name: string;
  readonly description?: string;
  /** Why no agent calls it in its program, if none does. A clause. */
  readonly whyUncalled?: string;
  /** What the model receives as it is, with "\n" at the line ends. */
  readonly prompt: string;
  /** Values for the settings of the same names. */
  readonly settings: Pick<AgentSettings, "temperature" | "limits" | "workspace"> & { readonly model?: string };
  /** The allowed builtin tools. Absent: all. */
  readonly builtins?: readonly string[];
  readonly rules: readonly ImportedRule[];
  readonly hooks?: HookSettings;
  /** The text of AGENT.md; absent if there is none. */
  readonly memory?: string;
  readonly skills: readonly ImportedSkill[];
  /** The subagents of a folder, each for a separate directory. */
  readonly agents: readonly ImportedAgent[];
  /** In the order of the source. */
  readonly notes: readonly ImportNote[];
}

/** Notes on one file, and functions to add some. Lines are counted from 1. */
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
