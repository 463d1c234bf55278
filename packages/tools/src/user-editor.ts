/** The editor in which the user works. Each part is absent if the editor does not offer it. Paths are absolute. */
export interface UserEditor {
  /** The text of a file as the editor shows it, with changes that are not saved. Rejects if the editor cannot read it. */
  readonly readText?: (path: string) => Promise<string>;
  /** Replaces the text of a file; resolves when it is saved. Rejects if the editor cannot write it. */
  readonly writeText?: (path: string, text: string) => Promise<void>;
  /** Runs a command in a terminal of the editor, which contains nothing. Rejects if it does not start. */
  readonly runCommand?: (command: EditorCommand) => Promise<EditorCommandEnd>;
}

/** A command for a terminal of the editor. */
export interface EditorCommand {
  /** The call of a tool that runs it, as in `ToolContext`. */
  readonly callId: string;
  /** A program and its arguments. */
  readonly words: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  /** Variables besides those of the editor's terminals. */
  readonly environment: Readonly<Record<string, string>>;
  /** The most bytes of output to keep; the beginning is dropped. */
  readonly outputBytes: number;
  /** Ends the command. */
  readonly signal: AbortSignal;
}

/** How it ended. */
export interface EditorCommandEnd {
  readonly output: string;
  readonly isTruncated: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
}
