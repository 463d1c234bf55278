import { connect, type Socket } from "node:net";

/** How long an address has to answer before the next one is tried beside it, as RFC 8305 recommends. */
const STAGGER_MILLISECONDS = 250;
const DEADLINE_MILLISECONDS = 30_000;

/** The addresses of one host, and what ends the attempts to reach it. */
export interface ConnectOptions {
  readonly addresses: readonly string[];
  readonly port: number;
  readonly signal: AbortSignal;
}

/**
 * Connects to the first of several addresses that answers. They are tried in order: the next one as soon as one fails, or
 * beside one that does not answer. Rejects with the last error if none answers, or when the signal fires.
 */
export async function connectFirst({ addresses, port, signal }: ConnectOptions): Promise<Socket> {
  const attempts = new Attempts(addresses, port);
  const stop = (): void => attempts.stop(new Error("aborted"));
  const deadline = setTimeout(() => attempts.stop(new Error("no answer")), DEADLINE_MILLISECONDS).unref();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await attempts.connected;
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener("abort", stop);
  }
}

class Attempts {
  readonly connected: Promise<Socket>;
  readonly #port: number;
  readonly #outcome = Promise.withResolvers<Socket>();
  readonly #open = new Set<Socket>();
  #untried: readonly string[];
  #stagger: ReturnType<typeof setTimeout> | undefined;
  #lastError = new Error("no address");

  constructor(addresses: readonly string[], port: number) {
    this.connected = this.#outcome.promise;
    this.#untried = addresses;
    this.#port = port;
    this.#tryNext();
  }

  /** Ends the attempts; does nothing once one has succeeded. */
  stop(reason: Error): void {
    this.#outcome.reject(reason);
    this.#end();
  }

  #tryNext(): void {
    clearTimeout(this.#stagger);
    const [address, ...untried] = this.#untried;
    this.#untried = untried;
    if (address === undefined) {
      if (this.#open.size === 0) this.stop(this.#lastError);
      return;
    }
    this.#try(address);
    if (untried.length > 0) this.#stagger = setTimeout(() => this.#tryNext(), STAGGER_MILLISECONDS).unref();
  }

  #try(host: string): void {
    const socket = connect({ host, port: this.#port });
    socket.unref();
    this.#open.add(socket);
    const onError = (error: Error): void => {
      this.#lastError = error;
    };
    const onClose = (): void => {
      if (this.#open.delete(socket)) this.#tryNext();
    };
    socket.on("error", onError).once("close", onClose);
    socket.once("connect", () => {
      socket.off("error", onError).off("close", onClose);
      this.#open.delete(socket);
      this.#outcome.resolve(socket);
      this.#end();
    });
  }

  #end(): void {
    clearTimeout(this.#stagger);
    this.#untried = [];
    const open = [...this.#open];
    this.#open.clear();
    for (const socket of open) socket.destroy();
  }
}
