declare module "bun" {
  // Bun.connect takes a descriptor too; its types lack that.
  function connect<Data = undefined>(options: FdSocketOptions<Data>): Promise<Socket<Data>>;
}

/** The variable that holds the number of the descriptor by which a tool host process reaches its agent. */
export const TOOL_CHANNEL = "MDX_AI_TOOL_CHANNEL";

const NEWLINE = 10;

/** Bytes that a message from a tool host process may have: more than the largest result with its images. */
const MESSAGE_LIMIT = 32 * 2 ** 20;

/** Why a channel ended: the other end closed it, sent more than a message may have, or sent what is no message. */
export type ChannelEnd = "closed" | "flooded" | "broken";

export interface ChannelOptions {
  /** Of a connected socket; the channel closes it. */
  readonly descriptor: number;
  /** Whether the channel keeps this process alive. */
  readonly keepsAlive: boolean;
  readonly onMessage: (message: unknown) => void;
  /** Called once. Nothing is sent or received afterwards. */
  readonly onEnd: (end: ChannelEnd) => void;
}

// Kept, since the code of a tool may replace them.
const { parse, stringify } = JSON;
const encoder = new TextEncoder();

/**
 * One end of the channel between an agent and a tool host process: JSON, one message a line. What has arrived of an
 * unfinished message is counted, so that the other end cannot fill the memory of this process.
 */
export class MessageChannel {
  readonly #options: ChannelOptions;
  #socket: Bun.Socket | undefined;
  /** What has arrived of the next message. */
  #pieces: Uint8Array[] = [];
  #arrived = 0;
  /** What the socket has not taken yet. */
  #unsent: Uint8Array[] = [];
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
    this.#pieces = [];
    this.#unsent = [];
    this.#socket?.terminate();
    this.#options.onEnd(end);
  }

  async #connect(): Promise<void> {
    const close = (): void => this.close("closed");
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
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#pieces.push(bytes.subarray(start, end));
      start = end + 1;
      if (!this.#deliver()) return;
    }
    this.#pieces.push(bytes.subarray(start));
    this.#arrived += bytes.length - start;
    if (this.#arrived > MESSAGE_LIMIT) this.close("flooded");
  }

  /** Whether what has arrived was a message. */
  #deliver(): boolean {
    const line = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#arrived = 0;
    let message: unknown;
    try {
      message = parse(line);
    } catch {
      this.close("broken");
      return false;
    }
    this.#options.onMessage(message);
    return !this.#hasEnded;
  }
}
