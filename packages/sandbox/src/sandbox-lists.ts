/** The protected paths at the root of a folder that commands write. Relative to it, separated by "/". */
interface RootLists {
  /** Read-only where they exist. */
  readonly protect: readonly string[];
  /** Those that a command cannot create either. */
  readonly reserve: readonly string[];
}

/** What a sandbox keeps from the programs in it. Its caller decides which paths these are, and why. */
export interface SandboxLists {
  /** Files and folders that are hidden, where they exist. Absolute. */
  readonly hide: readonly string[];
  /** The names of files that are hidden at any depth of the folders that commands work in. */
  readonly hideNamed: RegExp;
  /** Files and folders that are read-only, wherever they are. Absolute. */
  readonly readOnly: readonly string[];
  readonly agent: RootLists & {
    /** Whether a path of the agent directory, which exists, is read-only; its depth does not matter. */
    isProtected(path: string): boolean;
  };
  readonly workspace: RootLists;
}
