import type { FileKeeper } from "@mdx-ai/loop";

/** A change of an agent's own files, as a model proposes it. */
export interface SelfChange {
  /** What it is for, on one line. */
  readonly summary: string;
  readonly files: readonly ChangedFile[];
}

export interface ChangedFile {
  /** Relative to the agent directory, separated by "/". */
  readonly path: string;
  /** The whole new text, or one replacement in the present one. */
  readonly change: { readonly content: string } | { readonly old: string; readonly new: string };
}

/** A change that was made in a copy and has passed the check there. None of its code has run. */
export interface ProposedChange {
  /** Whether the user has to agree. */
  readonly asks: boolean;
  /** What changes, for people: what the agent may do first, then the texts. */
  readonly lines: readonly string[];
  /**
   * Runs the tests of the changed copy, and then changes the agent's files. Rejects with the reasons if a test fails, or if the files have
   * changed meanwhile; the agent's files are then as before.
   */
  apply(keeper: FileKeeper | undefined, signal: AbortSignal): Promise<AppliedChange>;
  /** Removes the copy. */
  discard(): void;
}

export interface AppliedChange {
  /** For the model. */
  readonly text: string;
  readonly made: MadeChange;
}

/** What an undo has to know of a change. Plain JSON. */
export interface MadeChange {
  readonly summary: string;
  /** Relative to the agent directory. */
  readonly paths: readonly string[];
  /** The full name of its commit; absent without a repository. */
  readonly commit?: string;
  /** The hash of the directory's trusted state before it; absent if the change kept no trust. */
  readonly trust?: string;
}

/** Checks changes of an agent's own files, and makes them. */
export interface SelfEditor {
  /** Rejects with the reasons if the change cannot be made, or does not pass the check. */
  propose(change: SelfChange, signal: AbortSignal): Promise<ProposedChange>;
  /**
   * Takes back the commits and the trust of changes whose files an undo has restored, the last change first. Resolves to a line for the user;
   * to undefined if there was nothing to do.
   */
  takeBack(changes: readonly MadeChange[]): Promise<string | undefined>;
}
