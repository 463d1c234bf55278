/** A file that builtin tools changed in a prompt. */
export interface CheckpointFile {
  /** Absolute. */
  readonly path: string;
  /**
   * The effect of undoing the prompt and all later ones on the current file. "restorable": its earlier content is restored;
   * "changed_since": it is restored only with `force`, because it has changed after the last builtin tool wrote it; "not_kept": it is left,
   * because its earlier content was not stored.
   */
  readonly state: "restorable" | "changed_since" | "not_kept";
  /** Whether it did not exist before the prompt, so that it is removed instead of restored. */
  readonly isNew?: true;
}

/** A prompt of the transcript and the files that its tools changed. */
export interface Checkpoint {
  /** The number of the prompt. */
  readonly prompt: number;
  readonly input: string;
  /** Sorted by path. */
  readonly files: readonly CheckpointFile[];
  /** The commands that ran, in order: command lines or tool names. Their changes are not known and not restored. */
  readonly commands: readonly string[];
}

/** The outcome for a file whose changes were undone. */
export type RestoredFile =
  /** "restored": it has its earlier content; "removed": it did not exist before; "unchanged": it had that content already. */
  | { readonly path: string; readonly outcome: "restored" | "removed" | "unchanged" }
  /** It was left, for this reason. */
  | { readonly path: string; readonly outcome: "left"; readonly reason: string };

/** The result of an undo. */
export interface UndoResult {
  /** The last prompt of the transcript now; 0 if it is empty. */
  readonly to: number;
  /** The input of the first undone prompt; empty if a crash came in between. */
  readonly input: string;
  /** Sorted by path. */
  readonly files: readonly RestoredFile[];
  /** As in `Checkpoint`, for all undone prompts. */
  readonly commands: readonly string[];
  /** What became of the commit of a change of the agent's own files, as one sentence; absent without such a commit. */
  readonly commit?: string;
}

export interface UndoOptions {
  /** Whether to restore files that have changed since. Default false. */
  readonly force?: boolean;
}
