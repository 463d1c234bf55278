import { connect, type Socket } from "node:net";

/** How long to wait for an address before trying the next in parallel, in milliseconds, as RFC 8305 recommends. */
const STAGGER_MILLISECONDS = 250;
const CONNECT_MILLISECONDS = 30_000;

/**
 * Connects to the first address that answers. Tries them in order: the next one when one fails, or in parallel when one does not
 * answer. Rejects if none answers, or when the signal fires.
 */
export async function connectFirst(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const connected = new AbortController();
  const end = AbortSignal.any([signal, connected.signal, AbortSignal.timeout(CONNECT_MILLISECONDS)]);
  const tryAddress = (host: string): Promise<Socket> =>
    new Promise((resolve, reject) => {
      end.throwIfAborted();
      const socket = connect({ host, port }).unref();
      const stop = (): void => void socket.destroy(new Error("no answer"));
      end.addEventListener("abort", stop, { once: true });
      socket.once("error", reject).once("connect", () => {
        end.removeEventListener("abort", stop);
        // Ends the other attempts.
        connected.abort();
        resolve(socket);
      });
    });
  const stagger = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, STAGGER_MILLISECONDS).unref());
  let turn: Promise<unknown> = Promise.resolve();
  const attempts = addresses.map((host) => {
    const attempt = turn.then(() => tryAddress(host));
    turn = Promise.race([attempt.catch(() => {}), turn.then(stagger)]);
    return attempt;
  });
  try {
    return await Promise.any(attempts);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors.at(-1) : error;
  }
}
