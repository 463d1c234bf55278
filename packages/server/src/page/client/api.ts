import type { AgentEvent } from "@mdx-ai/loop";

/** The server refused a request; the message says why. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status; 0 if the server did not answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Milliseconds between two attempts to connect again; the last one repeats. */
const PAUSES = [250, 1000, 3000, 10_000] as const;

export interface EventReader {
  readonly onEvent: (event: AgentEvent) => void;
  /** Whether events arrive. */
  readonly onConnection: (isConnected: boolean) => void;
  /** Called for an error that another attempt would not change. */
  readonly onError: (error: ApiError) => void;
}

/** The server's API, for one token. Paths are below `/api/agents/`. */
export class Api {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  /** Sends a request; returns the JSON of the answer, null if it has none. Rejects with `ApiError`. */
  async send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await this.#fetch(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    return JSON.parse(text || "null");
  }

  /** The text of a GET. Rejects with `ApiError`. */
  async text(path: string): Promise<string> {
    return (await this.#fetch(path, {})).text();
  }

  /** Reads the events of a session, past and live, and connects again after a loss, until `signal` fires. Never rejects. */
  async follow(path: string, reader: EventReader, signal: AbortSignal): Promise<void> {
    let after = "0.0";
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        for await (const event of this.#events(`${path}/events?after=${after}`, signal)) {
          attempt = 0;
          if (event === undefined) {
            reader.onConnection(true);
            continue;
          }
          after = event.id ?? after;
          reader.onEvent(event);
        }
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) return reader.onError(error);
      }
      if (signal.aborted) return;
      reader.onConnection(false);
      await new Promise((resolve) => setTimeout(resolve, PAUSES[Math.min(attempt, PAUSES.length - 1)]));
    }
  }

  /** The events of a stream; undefined for a sign of life. */
  async *#events(path: string, signal: AbortSignal): AsyncGenerator<AgentEvent | undefined, void, undefined> {
    const { body } = await this.#fetch(path, { headers: { accept: "application/x-ndjson" }, signal });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let chunk = await reader?.read(); chunk !== undefined && !chunk.done; chunk = await reader?.read()) {
      const lines = `${rest}${chunk.value}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield line === "" ? undefined : JSON.parse(line);
    }
  }

  async #fetch(
    path: string,
    { headers, ...request }: RequestInit & { headers?: Record<string, string> },
  ): Promise<Response> {
    const authorized = { ...request, headers: { authorization: `Bearer ${this.#token}`, ...headers } };
    const response = await fetch(`/api/agents${path}`, authorized).catch((cause: unknown) => {
      throw new ApiError(0, `the server does not answer: ${String(cause)}`);
    });
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    throw new ApiError(response.status, problem.detail ?? `the server answered ${response.status}`);
  }
}
