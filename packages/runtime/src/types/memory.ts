/** Something that the user wants an agent to know in every session. */
export interface Memory {
  /** Eight hexadecimal digits, the only one of its kind. */
  readonly id: string;
  /** When it was remembered, ISO 8601 in UTC. */
  readonly timestamp: string;
  readonly content: string;
}

/** AGENT.md after a note was added. */
export interface AddedNote {
  /** As in the file, without the newline at its end. */
  readonly line: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Bytes of the file that a model receives; the rest is left out. */
  readonly sent: number;
}

/** The content of AGENT.md. */
export interface Notes {
  /** Of its beginning, which ends between two characters. */
  readonly text: string;
  /** Bytes of the file. */
  readonly size: number;
  /** How many of them are left out at its end. */
  readonly omitted: number;
}

/** What a file of a repository says to agents that work in it, such as AGENTS.md. */
export interface RepositoryNotes extends Notes {
  /** Absolute. */
  readonly path: string;
}

/** Where the tools of a session work, if that is not the agent directory, and what its repository says. */
export interface WorkspaceTerms {
  /** Absolute. */
  readonly folder: string;
  /** From the repository's root down to the workspace. */
  readonly notes: readonly RepositoryNotes[];
}

/** The memories and notes that a model receives. */
export interface Remembered {
  /** Absent without AGENT.md. */
  readonly notes?: Notes;
  /** Of all sessions, the oldest first. */
  readonly memories: readonly Memory[];
}
