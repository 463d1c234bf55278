import { errorMessage, isRecord, jsonValue, noRedactor, type Redactor } from "@mdx-ai/base";
import { JournalError } from "@mdx-ai/sessions";
import { EngineError } from "./engine-error.ts";

/** The API version of the server that this program needs. */
const MIN_VERSION = [1, 7] as const;

/** The statuses with which a server, or a proxy before it, says that it cannot take a call now, or that no worker of the agent has registered. */
const UNAVAILABLE: readonly number[] = [404, 429, 502, 503, 504];

/** Milliseconds that a call may take. */
const MAX_CALL = 30_000;

/** A Restate server: its admin API, and its ingress, whose address it reports. */
export interface RestateServer {
  /** Such as "http://127.0.0.1:9070", without a slash. */
  readonly admin: string;
  readonly ingress: string;
  readonly version: string;
}

/** The address of a server's admin API. Throws `EngineError`. */
export function adminAddress(text: string): string {
  const found = /^restate(s?):\/\/(\[[\da-f:]+\]|[^/:?#@\s]+)(?::(\d{1,5}))?\/?$/i.exec(text);
  if (found === null)
    throw new EngineError(
      `${JSON.stringify(text)} is no engine; expected restate://HOST:PORT, the admin address of a Restate server`,
    );
  const [, secure = "", host = "", port = "9070"] = found;
  return `http${secure === "" ? "" : "s"}://${host}:${port}`;
}

/** Reads which server answers at an address. Rejects with `EngineError`. */
export async function findServer(admin: string): Promise<RestateServer> {
  const answer = await fetch(`${admin}/version`, { signal: AbortSignal.timeout(10_000) }).catch((cause: unknown) => {
    throw new EngineError(
      `no Restate server answers at ${admin} (${errorMessage(cause)}); start one with restate-server, or correct --engine (its admin port is 9070 by default)`,
      { cause },
    );
  });
  const found = jsonValue(await answer.text());
  if (!answer.ok || !isRecord(found) || typeof found["version"] !== "string")
    throw new EngineError(
      `${admin} answers, but is no admin address of a Restate server; its admin port is 9070 by default`,
    );
  const { version, ingress_endpoint: ingress } = found;
  if (isOlder(version))
    throw new EngineError(
      `the Restate server at ${admin} has version ${version}; mdx-ai needs ${MIN_VERSION.join(".")} or later`,
    );
  if (typeof ingress !== "string")
    throw new EngineError(
      `the Restate server at ${admin} reports no ingress address; set RESTATE_INGRESS__ADVERTISED_ADDRESS there`,
    );
  return { admin, version, ingress: ingress.replace(/\/+$/, "") };
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]);
}

export interface RestateClientOptions {
  /** Redacts what is sent, since the server stores it. */
  readonly redactor?: Redactor;
  /** Milliseconds that a call may take. */
  readonly maxCall?: number;
}

/** Calls handlers of objects through the ingress. */
export class RestateClient {
  readonly server: RestateServer;
  readonly #redactor: Redactor;
  readonly #maxCall: number;

  constructor(server: RestateServer, { redactor = noRedactor, maxCall = MAX_CALL }: RestateClientOptions = {}) {
    this.server = server;
    this.#redactor = redactor;
    this.#maxCall = maxCall;
  }

  /** Calls a handler and resolves to what it returns. Rejects with `EngineError` or `JournalError`. */
  async call(service: string, key: string, handler: string, parameter?: unknown): Promise<unknown> {
    const path = [service, key, handler].map(encodeURIComponent).join("/");
    return this.#request(`${this.server.ingress}/${path}`, parameter);
  }

  /** The rows of a query about the engine's own tables. Rejects with `EngineError` or `JournalError`. */
  async query(query: string): Promise<readonly unknown[]> {
    const found = await this.#request(`${this.server.admin}/query`, { query });
    return isRecord(found) && Array.isArray(found["rows"]) ? found["rows"] : [];
  }

  async #request(address: string, body: unknown): Promise<unknown> {
    const { answer, text } = await this.#send(address, body).catch((cause: unknown) => {
      throw new EngineError(this.#whyNot(address, cause), { cause });
    });
    if (answer.ok) return text === "" ? undefined : jsonValue(text);
    const message = `the engine answers with status ${answer.status}: ${text.slice(0, 500)}`;
    throw UNAVAILABLE.includes(answer.status) ? new EngineError(message) : new JournalError(message);
  }

  async #send(address: string, body: unknown): Promise<{ readonly answer: Response; readonly text: string }> {
    const answer = await fetch(address, {
      method: "POST",
      headers: { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: this.#redactor.json(body) }),
      signal: AbortSignal.timeout(this.#maxCall),
    });
    return { answer, text: await answer.text() };
  }

  #whyNot(address: string, cause: unknown): string {
    const { origin } = new URL(address);
    if (!(cause instanceof Error && cause.name === "TimeoutError"))
      return `the Restate server at ${origin} cannot be reached: ${errorMessage(cause)}`;
    return `the Restate server at ${origin} gives no answer in ${this.#maxCall / 1000} s; read its log: a full disk stops it; make room, and restart it`;
  }
}
