declare module "bun" {
  // Bun.connect accepts a descriptor, too; its types lack that.
  function connect<Data = undefined>(options: FdSocketOptions<Data>): Promise<Socket<Data>>;
}

/** The variable with the number of the descriptor that connects a tool host process to its agent. */
export const TOOL_CHANNEL = "MDX_AI_TOOL_CHANNEL";

const NEWLINE = 10;

/** The characters that begin or separate values in JSON. */
const VALUE_SIGNS = [..."[{,"].map((sign) => sign.charCodeAt(0));

/** The largest message in bytes: more than the largest result with its images. */
const MESSAGE_LIMIT = 32 * 2 ** 20;

/** The most values in a message: more than in the largest result. Far more would take seconds to parse, and gigabytes. */
const VALUES_LIMIT = 2 ** 19;

/** The most messages that are received in one turn. */
const MESSAGES_PER_TURN = 256;

/** Why a channel ended: the other end closed it, exceeded the limits of a message, or sent an invalid message. */
export type ChannelEnd = "closed" | "flooded" | "broken";

export interface ChannelOptions {
  /** The descriptor of a connected socket; the channel closes it. */
  readonly descriptor: number;
  /** Whether the channel keeps this process alive. */
  readonly keepsAlive: boolean;
  readonly onMessage: (message: unknown) => void;
  /** Called once, after the last message. */
  readonly onEnd: (end: ChannelEnd) => void;
}

// Saved, since the code of a tool may replace them.
const { parse, stringify } = JSON;
const { setImmediate: afterTimers } = globalThis;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * One end of the channel between an agent and a tool host process: JSON, one message per line. The other end can exhaust neither
 * memory nor time of this process: limits are checked before a message is kept or parsed, and timers, signals and other channels
 * run after some messages, before more is read.
 */
export class MessageChannel {
  readonly #options: ChannelOptions;
  #socket: Bun.Socket | undefined;
  /** The first `#length` bytes are the received part of the next message. */
  #unfinished = new Uint8Array();
  #length = 0;
  /** The bytes after the messages of this turn. */
  #rest: Uint8Array | undefined;
  /** The bytes that the socket has not accepted yet. */
  #unsent: Uint8Array[] = [];
  /** Whether the other end has closed the channel. */
  #isClosed = false;
  #hasEnded = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    void this.#connect();
  }

  /** Does nothing once the channel has ended. Throws if the message is not JSON. */
  send(message: object): void {
    this.#unsent.push(encoder.encode(`${stringify(message)}\n`));
    if (this.#unsent.length === 1) this.#flush();
  }

  /** Calls `onEnd` with the reason, unless the channel has ended already. */
  close(end: ChannelEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#unfinished = new Uint8Array();
    this.#rest = undefined;
    this.#unsent = [];
    this.#socket?.terminate();
    this.#options.onEnd(end);
  }

  async #connect(): Promise<void> {
    const close = (): void => {
      this.#isClosed = true;
      if (this.#rest === undefined) this.close("closed");
    };
    const socket = {
      open: (opened: Bun.Socket) => this.#open(opened),
      data: (_socket: Bun.Socket, bytes: Uint8Array) => this.#receive(bytes),
      drain: () => this.#flush(),
      ...{ end: close, close, error: close },
    };
    try {
      await Bun.connect({ fd: this.#options.descriptor, socket });
    } catch {
      this.close("closed");
    }
  }

  #open(socket: Bun.Socket): void {
    this.#socket = socket;
    if (!this.#options.keepsAlive) socket.unref();
    this.#flush();
  }

  #flush(): void {
    for (let next = this.#unsent[0]; next && this.#socket && !this.#hasEnded; next = this.#unsent[0]) {
      const written = this.#socket.write(next);
      if (written < next.length) {
        this.#unsent[0] = next.subarray(Math.max(0, written));
        return;
      }
      this.#unsent.shift();
    }
  }

  #receive(bytes: Uint8Array): void {
    let start = 0;
    for (let messages = 0; messages < MESSAGES_PER_TURN; messages += 1) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end === -1) {
        this.#keep(bytes.subarray(start));
        return;
      }
      this.#deliver(bytes.subarray(start, end));
      if (this.#hasEnded) return;
      start = end + 1;
    }
    this.#wait(bytes.subarray(start));
  }

  /** Pauses reading until the rest has been received in later turns. */
  #wait(rest: Uint8Array): void {
    this.#rest = rest;
    this.#socket?.pause();
    afterTimers(() => {
      if (this.#hasEnded) return;
      this.#rest = undefined;
      this.#receive(rest);
      if (this.#hasEnded || this.#rest) return;
      if (this.#isClosed) this.close("closed");
      else this.#socket?.resume();
    });
  }

  /** Adds to the next message. */
  #keep(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > MESSAGE_LIMIT) {
      this.close("flooded");
      return;
    }
    if (length > this.#unfinished.length) {
      // Doubles each time, so that a message in small pieces is not copied for each of them.
      const longer = new Uint8Array(Math.max(length, 2 * this.#unfinished.length));
      longer.set(this.#unfinished.subarray(0, this.#length));
      this.#unfinished = longer;
    }
    this.#unfinished.set(bytes, this.#length);
    this.#length = length;
  }

  /** Delivers the message that these bytes complete. */
  #deliver(bytes: Uint8Array): void {
    const message = this.#parsed(this.#length === 0 ? bytes : this.#completed(bytes));
    if (!this.#hasEnded) this.#options.onMessage(message);
  }

  #completed(bytes: Uint8Array): Uint8Array {
    this.#keep(bytes);
    const complete = this.#unfinished.subarray(0, this.#length);
    this.#unfinished = new Uint8Array();
    this.#length = 0;
    return complete;
  }

  /** Closes the channel if these bytes are not a message. */
  #parsed(bytes: Uint8Array): unknown {
    if (hasTooManyValues(bytes)) return this.close("flooded");
    try {
      return parse(decoder.decode(bytes));
    } catch {
      return this.close("broken");
    }
  }
}

/** Counts the characters that begin or separate values, also within texts, since a result's texts are below the limit. */
function hasTooManyValues(bytes: Uint8Array): boolean {
  if (bytes.length <= VALUES_LIMIT) return false;
  let values = 0;
  for (const sign of VALUE_SIGNS) {
    for (let at = bytes.indexOf(sign); at !== -1 && values <= VALUES_LIMIT; at = bytes.indexOf(sign, at + 1))
      values += 1;
  }
  return values > VALUES_LIMIT;
}
