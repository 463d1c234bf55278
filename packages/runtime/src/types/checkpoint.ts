/** A file that tools changed in a prompt, or a folder from which they removed files. */
export interface CheckpointFile {
  /** Absolute. */
  readonly path: string;
  /**
   * What taking the prompt back, with all that follow it, does to the file as it is now: "restorable": it gets its earlier content;
   * "changed_since": it does only with `force`, since it has changed after its last change by a tool. It is left as it is if it is "not_kept":
   * its earlier content was not kept; or "uncertain": it changed while a command or a tool of the agent ran, most likely by that.
   */
  readonly state: "restorable" | "changed_since" | "not_kept" | "uncertain";
  /** Whether it did not exist before the prompt, so that it is removed instead of restored. */
  readonly isNew?: true;
}

/** A prompt of the transcript, and the files that its tools changed. */
export interface Checkpoint {
  /** The number of the prompt. */
  readonly prompt: number;
  readonly input: string;
  /** Sorted by path. */
  readonly files: readonly CheckpointFile[];
  /**
   * Whether these are all files that changed, as far as that can be found: not if a command was cut short, or ran among too many files, or if a
   * write could not be recorded.
   */
  readonly isWhole: boolean;
}

/** What became of a file when its changes were taken back. */
export type RestoredFile =
  /** It has its earlier content; "removed": it did not exist; "unchanged": it had that content already. */
  | { readonly path: string; readonly outcome: "restored" | "removed" | "unchanged" }
  /** It is as it was, and why. "isByCommand": a command changed it first, so that its earlier content is not known. */
  | { readonly path: string; readonly outcome: "left"; readonly reason: string; readonly isByCommand?: true };

/** What was taken out of a session. */
export interface TakenBack {
  /** The prompt with which the transcript ends now; 0 for none. */
  readonly to: number;
  /** The input of the first prompt that was taken out; empty if that was done before a crash. */
  readonly input: string;
  /** Sorted by path. */
  readonly files: readonly RestoredFile[];
  /** As in `Checkpoint`. */
  readonly isWhole: boolean;
}

export interface TakeBackOptions {
  /** Whether files are restored, too, that have changed since. Default false. */
  readonly force?: boolean;
}
