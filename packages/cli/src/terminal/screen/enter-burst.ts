/** Milliseconds: what follows an Enter sooner was pasted, not typed. */
const PAUSE = 8;

export interface EnterBurstOptions {
  /** Called for an Enter that nothing follows. */
  readonly onEnter: () => void;
  /** Receives what followed an Enter at once, with the Enters as newlines; the first character is a newline. */
  readonly onText: (text: string) => void;
}

/**
 * Tells an Enter from a newline of a text that is pasted without brackets: each Enter waits a moment for what follows. A pasted text is
 * one input; an Enter at its end sends it.
 */
export class EnterBurst {
  readonly #options: EnterBurstOptions;
  #text = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: EnterBurstOptions) {
    this.#options = options;
  }

  /** Handles an Enter. */
  enter(): void {
    this.#add("\n");
  }

  /** Handles other input. Returns false if it belongs to no burst; then what was waiting is handled before. */
  takes(data: string): boolean {
    if (this.#text === "") return false;
    if (/^[\P{Cc}\t\n]+$/u.test(data)) {
      this.#add(data);
      return true;
    }
    this.flush();
    return false;
  }

  /** Handles what is waiting. */
  flush(): void {
    clearTimeout(this.#timer);
    const text = this.#text;
    this.#text = "";
    if (text === "") return;
    const isSent = text.endsWith("\n");
    const pasted = isSent ? text.slice(0, -1) : text;
    if (pasted !== "") this.#options.onText(pasted);
    if (isSent) this.#options.onEnter();
  }

  /** Drops what is waiting. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#text = "";
  }

  #add(text: string): void {
    this.#text += text;
    clearTimeout(this.#timer);
    const length = this.#text.length;
    // A process that was busy reads what has arrived meanwhile first.
    const look = (): void => void (this.#text.length === length && this.flush());
    this.#timer = setTimeout(() => setImmediate(look), PAUSE);
  }
}
