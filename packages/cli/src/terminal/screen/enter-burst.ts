/** Milliseconds after which a pasted text has ended. */
const PAUSE = 8;

export interface EnterBurstOptions {
  /** Called for an Enter that nothing follows. */
  readonly onEnter: () => void;
  /** Receives what followed an Enter at once, with the Enters as newlines; the first character is a newline. */
  readonly onText: (text: string) => void;
  /** Whether the input is sent by an Enter, whatever follows. */
  readonly isOneLine: () => boolean;
}

/**
 * Tells an Enter from a newline of a text that is pasted without brackets: text that arrives together with an Enter follows it in the
 * same input, and so does what arrives right after that. An Enter at the end sends the input. Input that comes apart, even quickly, is
 * no paste: scripts type like that.
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
    if (this.#text === "" && this.#options.isOneLine()) this.#options.onEnter();
    else this.#add("\n");
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
    const look = (): void => {
      if (this.#text.length === length) this.flush();
    };
    // What arrived together is handled without a break. Within a paste, a process that was busy first reads what has arrived meanwhile.
    if (length === 1) queueMicrotask(look);
    else this.#timer = setTimeout(() => setImmediate(look), PAUSE);
  }
}
