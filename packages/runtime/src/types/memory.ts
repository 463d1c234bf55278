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

/** The working directory of a session, if it is not the agent directory, and the instructions of its repository. */
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
  /** Memories from all sessions, the oldest first. */
  readonly memories: readonly Memory[];
}
