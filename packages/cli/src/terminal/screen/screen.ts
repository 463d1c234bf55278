import type { Theme } from "../../output/theme.ts";
import type { InputCompletion } from "./input-completion.ts";

/** Lines for a terminal width of at least 1: styled and wrapped, without newlines and untrusted control sequences. */
export type Drawing = (columns: number) => readonly string[];

/**
 * The keys that the session handles; other keys edit the input. `leave` is Ctrl+D in an empty input, `stop` is Esc alone, `search` is
 * Ctrl+R, `edit` is Ctrl+G, `suspend` is Ctrl+Z, `mode` is Shift+Tab, `expand` is Ctrl+O, `image` is Ctrl+V.
 */
export type ScreenKey =
  | "send"
  | "stop"
  | "interrupt"
  | "leave"
  | "clear"
  | "search"
  | "edit"
  | "suspend"
  | "mode"
  | "expand"
  | "image";

export interface ScreenOptions {
  /** The changing lines above the input; only the last ones if not all fit. Called at each redraw. */
  readonly live: Drawing;
  /** The lines below the input; omitted if the terminal has few rows. */
  readonly footer?: Drawing;
  readonly theme: Theme;
  /** Completes the typed text. */
  readonly completion?: InputCompletion;
  /** The replacement for pasted text; undefined to keep it. */
  readonly onPaste?: (text: string) => string | undefined;
  /** Whether Enter ends this text, although more input follows at once. Otherwise what follows at once was pasted with it. */
  readonly isOneLine?: (text: string) => boolean;
  readonly onKey: (key: ScreenKey) => void;
  /**
   * Called with every other key before the input receives it: the typed character, including a tab; undefined for other keys and pasted
   * text. Returns true if the input should not receive the key.
   */
  readonly onTyped: (character: string | undefined) => boolean;
  /**
   * Called for keys that move through a list, with the number of entries; negative is up. Returns true if a list is open, so that the input
   * does not receive the key.
   */
  readonly onMove?: (entries: number) => boolean;
}

/**
 * A conversation on the terminal's main screen. Finished output moves into the scrollback and never changes again; live output and the
 * input are redrawn below it.
 */
export interface Screen {
  /** Moves finished output into the scrollback. It and later output wait for `ready`, which must not reject. */
  append(drawing: Drawing, ready?: Promise<void>): void;
  /** Redraws soon, at most about 30 times a second. */
  refresh(): void;
  /** Clears the visible screen; keeps the scrollback. */
  clear(): void;
  /** The terminal's height. */
  rows(): number;
  /** The terminal's width. */
  columns(): number;
  /** The input exactly as typed and pasted. */
  text(): string;
  setText(text: string): void;
  /** Inserts a text as if it was pasted. */
  insert(text: string): void;
  /** Switches vi keys on or off. */
  useVi(isOn: boolean): void;
  /** Releases the terminal for another program until the returned function is called. Output appended meanwhile is shown then. */
  pause(): () => void;
  /** Adds a text to the Up key's history. */
  remember(text: string): void;
  /** Sets the window's title until `close`, which restores it if the terminal can. One line; may be untrusted. */
  setTitle(title: string): void;
  /** Writes a control sequence that moves nothing, such as a bell. */
  signal(sequence: string): void;
  /** Draws pending output, removes the live part and restores the terminal. Synchronous; may be called twice. */
  close(): void;
  /** Waits briefly for pending replies of the terminal, so that the shell does not receive them; then closes. */
  drain(): Promise<void>;
}
