/** Lines for a terminal of so many columns, at least 1: styled, wrapped, without newlines and foreign control sequences. */
export type Drawing = (columns: number) => readonly string[];

/** The keys that the session handles; all others edit the input. `leave` is Ctrl+D in an empty input, `stop` is Esc alone, `mode` is Shift+Tab, `expand` is Ctrl+O. */
export type ScreenKey = "send" | "stop" | "interrupt" | "leave" | "clear" | "mode" | "expand";

export interface ScreenOptions {
  /** The lines above the input that still change; the last ones if not all fit. Called at each redraw. */
  readonly live: Drawing;
  /** The lines below the input; left out where the terminal has few rows. */
  readonly footer?: Drawing;
  /** The mark before the input, already styled, two columns wide. */
  readonly mark: string;
  readonly onKey: (key: ScreenKey) => void;
  /**
   * Called with every other key before the input gets it: the character that it types, a tab included; undefined for other
   * keys and for pasted text. Returns whether it was handled, so that the input does not get it.
   */
  readonly onTyped: (character: string | undefined) => boolean;
  /**
   * Called for the keys that move through a list, with the number of its entries, negative for up. Returns whether they were handled,
   * so that the input does not get them.
   */
  readonly onMove?: (entries: number) => boolean;
}

/**
 * A conversation on the main screen of the terminal: finished output goes into the scrollback above and never
 * changes again; live output and the input are below it and are redrawn.
 */
export interface Screen {
  /** Moves something finished into the scrollback; it and what comes after it wait until it is `ready`, which must not reject. */
  append(drawing: Drawing, ready?: Promise<void>): void;
  /** Redraws soon; any number of calls cost at most some 30 redraws a second. */
  refresh(): void;
  /** Empties the visible screen; the scrollback stays. */
  clear(): void;
  /** The height of the terminal. */
  rows(): number;
  /** The width of the terminal. */
  columns(): number;
  /** The input exactly as it was typed and pasted. */
  text(): string;
  setText(text: string): void;
  /** Offers a text again under the Up key. */
  remember(text: string): void;
  /** Names the window until `close`, which gives it back its own title where the terminal can. Foreign text of one line. */
  setTitle(title: string): void;
  /** Writes a control sequence that moves nothing, such as a bell. */
  signal(sequence: string): void;
  /** Draws pending output, removes the live part and restores the terminal. At once; may be called twice. */
  close(): void;
  /** Waits briefly for pending answers of the terminal, so that they do not end up in the shell; then closes. */
  drain(): Promise<void>;
}
