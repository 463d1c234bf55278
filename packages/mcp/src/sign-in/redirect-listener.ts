const PATH = "/callback";

/** Listens on loopback for the browser's redirect after a sign-in. Does not keep the process alive. */
export class RedirectListener {
  readonly #server: Bun.Server<undefined>;
  #onReturn: ((parameters: URLSearchParams) => boolean) | undefined;

  /** Listens on the port if it is free, else on one that the system assigns. */
  constructor(port: number | undefined) {
    this.#server = listenOn(port, (url) => this.#answer(url));
    this.#server.unref();
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  /** The redirect address. */
  get url(): string {
    return `http://127.0.0.1:${this.port}${PATH}`;
  }

  /** Calls back with the parameters of each redirect until the callback returns true. */
  wait(onReturn: (parameters: URLSearchParams) => boolean): void {
    this.#onReturn = onReturn;
  }

  close(): void {
    void this.#server.stop();
  }

  #answer(url: URL): Response {
    if (url.pathname !== PATH) return page("There is nothing here.", 404);
    if (!this.#onReturn?.(url.searchParams)) return page("No sign-in is waiting for this.", 400);
    this.#onReturn = undefined;
    return url.searchParams.has("code")
      ? page("You are signed in. You can close this window.", 200)
      : page("The sign-in failed. You can close this window.", 200);
  }
}

function listenOn(port: number | undefined, answer: (url: URL) => Response): Bun.Server<undefined> {
  const listen = (wanted: number): Bun.Server<undefined> =>
    Bun.serve({ hostname: "127.0.0.1", port: wanted, fetch: (request) => answer(new URL(request.url)) });
  if (port === undefined) return listen(0);
  try {
    return listen(port);
  } catch {
    return listen(0);
  }
}

const page = (text: string, status: number): Response =>
  new Response(`<!doctype html><meta charset="utf-8"><title>mdx-ai</title><p>${text}</p>\n`, {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", connection: "close" },
  });
