/** A file that builtin tools changed in a prompt. */
export interface CheckpointFile {
  /** Absolute. */
  readonly path: string;
  /**
   * What undoing the prompt, with all that follow it, does to the file as it is now: "restorable": it gets its earlier content;
   * "changed_since": it does only with `force`, since it has changed after its last change by a builtin tool; "not_kept": it is left as it is,
   * since its earlier content was not kept.
   */
  readonly state: "restorable" | "changed_since" | "not_kept";
  /** Whether it did not exist before the prompt, so that it is removed instead of restored. */
  readonly isNew?: true;
}

/** A prompt of the transcript, and what its tools changed. */
export interface Checkpoint {
  /** The number of the prompt. */
  readonly prompt: number;
  readonly input: string;
  /** Sorted by path. */
  readonly files: readonly CheckpointFile[];
  /** The commands that ran, in their order: command lines, or names of tools. What they changed is not known, and not restored. */
  readonly commands: readonly string[];
}

/** The outcome for a file whose changes were undone. */
export type RestoredFile =
  /** It has its earlier content; "removed": it did not exist; "unchanged": it had that content already. */
  | { readonly path: string; readonly outcome: "restored" | "removed" | "unchanged" }
  /** It is as it was, and why. */
  | { readonly path: string; readonly outcome: "left"; readonly reason: string };

/** What was taken out of a session. */
export interface UndoResult {
  /** The prompt with which the transcript ends now; 0 if it is empty. */
  readonly to: number;
  /** The input of the first prompt that was taken out; empty if that was done before a crash. */
  readonly input: string;
  /** Sorted by path. */
  readonly files: readonly RestoredFile[];
  /** As in `Checkpoint`, of all prompts that were taken out. */
  readonly commands: readonly string[];
}

export interface UndoOptions {
  /** Whether files are restored, too, that have changed since. Default false. */
  readonly force?: boolean;
}
