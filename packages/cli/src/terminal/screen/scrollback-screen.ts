import { type Component, CURSOR_MARKER, ProcessTerminal, TuiMainScreen, visibleWidth } from "@earendil-works/pi-tui";
import { evenWidth } from "../../output/line-layout.ts";
import type { Drawing } from "./screen.ts";

/** Output for the scrollback. */
interface Finished {
  readonly drawing: Drawing;
  isReady: boolean;
}

/**
 * Milliseconds without a change of the size before the next frame is drawn: tmux reports a second change only after a quarter of a
 * second, and a frame drawn meanwhile would leave rows behind.
 */
const SETTLED = 300;

/**
 * Draws one component at the cursor and moves finished output into the scrollback above it. The component must not be taller than the
 * terminal: then no redraw needs rows that have scrolled away.
 */
export class ScrollbackScreen extends TuiMainScreen {
  readonly #terminal: FrameTerminal;
  #finished: Finished[] = [];
  #columns = 0;
  #rows = 0;
  #cursorColumn = 0;
  /** The size that was seen last, and when it changed. */
  #seen = { size: "", at: Number.NEGATIVE_INFINITY };
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(terminal: FrameTerminal, component: Component) {
    super(terminal, true);
    this.#terminal = terminal;
    this.addChild(component);
  }

  /** With `ready`, this and later output wait until it resolves. */
  append(drawing: Drawing, ready?: Promise<void>): void {
    const finished = { drawing, isReady: ready === undefined };
    this.#finished.push(finished);
    void ready?.then(() => {
      finished.isReady = true;
    });
  }

  /** Scrolls finished output away by one line less than the terminal has: then none of it is left, and no blank line is added. */
  clearScreen(): void {
    this.#terminal.frame(() => {
      this.#lift(this.#readyCount());
      this.#terminal.write(`${"\n".repeat(this.terminal.rows - 1)}\u001b[H`);
      this.doRender();
    });
  }

  /** Leaves the cursor at the start of the line below the finished output. */
  lift(): void {
    this.#terminal.frame(() => this.#lift(this.#finished.length));
  }

  override render(columns: number): string[] {
    const lines = super.render(columns).map(evenWidth);
    const line = lines.find((candidate) => candidate.includes(CURSOR_MARKER));
    this.#cursorColumn = line === undefined ? 0 : visibleWidth(line.slice(0, line.indexOf(CURSOR_MARKER)));
    return lines;
  }

  protected override doRender(): void {
    if (this.stopped) {
      return;
    }
    this.#terminal.refreshSize();
    if (this.#isSettling()) return;
    this.#terminal.frame(() => {
      const resized = this.terminal.columns !== this.#columns || this.terminal.rows !== this.#rows;
      const ready = this.#readyCount();
      if (resized || ready > 0) {
        this.#lift(ready);
      }
      super.doRender();
    });
  }

  /** Whether the size has just changed; then draws again when it has settled. */
  #isSettling(): boolean {
    const size = `${this.terminal.columns}x${this.terminal.rows}`;
    const now = performance.now();
    if (size !== this.#seen.size) this.#seen = { size, at: this.#seen.size === "" ? this.#seen.at : now };
    const left = this.#seen.at + SETTLED - now;
    if (left <= 0) return false;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.doRender(), left).unref();
    return true;
  }

  #readyCount(): number {
    const first = this.#finished.findIndex(({ isReady }) => !isReady);
    return first === -1 ? this.#finished.length : first;
  }

  /** Draws the first `count` finished items above the frame. */
  #lift(count: number): void {
    const columns = this.terminal.columns;
    this.#eraseFrame(columns);
    const finished = this.#finished.slice(0, count);
    this.#finished = this.#finished.slice(count);
    for (const line of finished.flatMap(({ drawing }) => drawing(columns))) {
      this.terminal.write(`${evenWidth(line)}\r\n`);
    }
    this.#forgetFrame();
  }

  /**
   * Erases the last frame row by row: some terminals move the screen into the scrollback when all of it is erased at once. A narrower
   * terminal has rewrapped the frame's lines, and a lower one has fewer rows below: the cursor is saved, not moved back by their number.
   */
  #eraseFrame(columns: number): void {
    const { previousLines, hardwareCursorRow } = this.captureRenderState();
    const rowsOf = (lines: readonly string[]): number =>
      lines.reduce((sum, line) => sum + (Math.ceil(visibleWidth(line) / columns) || 1), 0);
    const above = rowsOf(previousLines.slice(0, hardwareCursorRow)) + Math.floor(this.#cursorColumn / columns);
    const below = Math.max(0, rowsOf(previousLines) - 1);
    this.terminal.write(
      `${up(above)}\r${saveCursor}${eraseLine}${`\u001b[B${eraseLine}`.repeat(below)}${restoreCursor}`,
    );
  }

  /** Makes the next frame a first one, drawn at the cursor without erasing. */
  #forgetFrame(): void {
    this.#columns = this.terminal.columns;
    this.#rows = this.terminal.rows;
    this.restoreRenderState({
      previousLines: [],
      previousWidth: 0,
      previousHeight: 0,
      cursorRow: 0,
      hardwareCursorRow: 0,
      maxLinesRendered: 0,
      previousViewportTop: 0,
    });
  }
}

function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}

const eraseLine = "\u001b[2K";
const saveCursor = "\u001b7";
const restoreCursor = "\u001b8";
const eraseScrollback = "\u001b[3J";

/** This process's terminal. Writes each frame at once and never erases the scrollback. */
export class FrameTerminal extends ProcessTerminal {
  #held: string | undefined;

  /** Runs `draw` and writes its output at once; nested frames are merged. */
  frame(draw: () => void): void {
    if (this.#held !== undefined) {
      draw();
      return;
    }
    this.#held = "";
    try {
      draw();
    } finally {
      const held = this.#held ?? "";
      this.#held = undefined;
      this.write(held);
    }
  }

  /** Makes `columns` and `rows` current: the signal of a change may still be on its way. */
  refreshSize(): void {
    process.emit("SIGWINCH");
  }

  override write(data: string): void {
    if (this.#held !== undefined) {
      this.#held += data;
    } else if (data !== "") {
      super.write(data.replaceAll(eraseScrollback, ""));
    }
  }

  override hideCursor(): void {
    this.write("\u001b[?25l");
  }

  override showCursor(): void {
    this.write("\u001b[?25h");
  }
}
