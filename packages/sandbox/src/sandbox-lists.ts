/** The protected paths at the root of a writable folder. Relative to it, separated by "/". */
interface RootLists {
  /** Read-only where they exist. */
  readonly protect: readonly string[];
  /** Paths that a command cannot create either. */
  readonly reserve: readonly string[];
}

/** What a sandbox hides and protects. The caller decides which paths, and why. */
export interface SandboxLists {
  /** Files and folders to hide if they exist. Absolute. */
  readonly hide: readonly string[];
  /** The names of files that are hidden at any depth of the folders that commands work in. */
  readonly hideNamed: RegExp;
  /** Read-only files and folders at any path. Absolute. */
  readonly readOnly: readonly string[];
  readonly agent: RootLists & {
    /** Whether an existing path of the agent directory is read-only, at any depth. */
    isProtected(path: string): boolean;
  };
  readonly workspace: RootLists;
}
