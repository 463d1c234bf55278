import { ProcessTerminal } from "@earendil-works/pi-tui";

const eraseScrollback = "\u001b[3J";

/** The process's terminal. Writes of one frame go out as one, and the scrollback is never erased. */
export class FrameTerminal extends ProcessTerminal {
  #held: string | undefined;

  /** Runs `draw` and writes all that it wrote at once; a frame within a frame is part of it. */
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
