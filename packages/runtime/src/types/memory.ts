/** A fact that the agent receives in every session. */
export interface Memory {
  /** Unique; eight hexadecimal digits. */
  readonly id: string;
  /** When it was added, ISO 8601 in UTC. */
  readonly timestamp: string;
  readonly content: string;
}

/** AGENT.md after a note was added. */
export interface AddedNote {
  /** The added line, without its newline. */
  readonly line: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** The number of leading bytes that a model receives. */
  readonly sent: number;
}

/** The content of AGENT.md. */
export interface Notes {
  /** The beginning of the file, cut at a character boundary. */
  readonly text: string;
  /** Bytes of the file. */
  readonly size: number;
  /** How many bytes are cut off at the end. */
  readonly omitted: number;
}

/** A repository file with instructions for agents, such as AGENTS.md. */
export interface RepositoryNotes extends Notes {
  /** Absolute. */
  readonly path: string;
}

/** The state of a repository. */
export interface GitState {
  /** Empty if no branch is checked out. */
  readonly branch: string;
  /** Whether git sees no change. */
  readonly isClean: boolean;
}

/** What a model is told of the place where it works, as it was when the session began. */
export interface WorkspaceFacts {
  /** The user's day, such as 2026-11-28. */
  readonly date: string;
  /** The operating system with its version, and the processor. */
  readonly platform: string;
  /** The shell that runs commands. Absolute. */
  readonly shell: string;
  /** Absent outside a repository. */
  readonly git?: GitState;
}

/** The working directory of a session, if it is not the agent directory, and the instructions of its repository. */
export interface WorkspaceHead {
  /** Absolute. */
  readonly folder: string;
  readonly facts: WorkspaceFacts;
  /** From the repository's root down to the workspace. */
  readonly notes: readonly RepositoryNotes[];
  /** More folders to work in. Absolute. Absent without any. */
  readonly more?: readonly string[];
}

/** The memories and notes that a model receives. */
export interface Remembered {
  /** Absent without AGENT.md. */
  readonly notes?: Notes;
  /** Memories from all sessions, the oldest first. */
  readonly memories: readonly Memory[];
}
