import { errorCode, errorMessage, isRecord, jsonValue, recordOf } from "@mdx-ai/base";
import type { AgentEvent } from "@mdx-ai/loop";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { textOption } from "../arguments/option-values.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError, UsageError } from "../failures/program-error.ts";
import { readToken } from "./server-access.ts";
import { runningServer } from "./server-record.ts";

/** An agent of a running server. */
interface ServedAgent {
  readonly url: string;
  readonly agent: string;
  readonly token: string;
}

/** A server cannot be reached. */
export class ConnectionError extends ProgramError {
  override readonly name: string = "ConnectionError";

  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT_CODE.failed, options);
  }
}

/** The connection to a server broke before the end of its answer. */
export class BrokenConnectionError extends ConnectionError {
  override readonly name = "BrokenConnectionError";

  constructor(options?: ErrorOptions) {
    super("the connection to the server broke", options);
  }
}

/** Whether an argument names a server rather than a directory. */
export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/** A client of one agent of a running server. Methods reject with `ProgramError`. */
export class ServerClient {
  readonly #agent: ServedAgent;

  constructor(agent: ServedAgent) {
    this.#agent = agent;
  }

  /** Sends a request below the agent's path; resolves to the JSON of the answer. */
  async json(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.#fetch(method, path, body);
    return jsonValue(await response.text().catch(broken));
  }

  /** The events of a session from the first on, without end, each as its line of JSON and as a value. */
  async *events(session: string, signal: AbortSignal): AsyncGenerator<readonly [line: string, event: AgentEvent]> {
    const path = `sessions/${encodeURIComponent(session)}/events`;
    const response = await this.#fetch("GET", path, undefined, signal);
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of bytesOf(response, signal)) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const event = line === "" ? undefined : jsonValue(line);
        if (isEvent(event)) yield [line, event];
      }
    }
    if (!signal.aborted) throw new BrokenConnectionError();
  }

  async #fetch(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const { url, agent, token } = this.#agent;
    const address = `${url.replace(/\/+$/, "")}/api/agents${agent === "" ? "" : `/${encodeURIComponent(agent)}`}${path && `/${path}`}`;
    return request(address, token, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      ...(signal !== undefined && { signal }),
    });
  }
}

/** The bytes of a body as they come. Rejects with `BrokenConnectionError` unless the signal has fired. */
async function* bytesOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    throw signal.aborted ? cause : new BrokenConnectionError({ cause });
  }
}

function broken(cause: unknown): never {
  throw new BrokenConnectionError({ cause });
}

/** A shallow check is enough: the server is one of this program. */
const isEvent = (value: unknown): value is AgentEvent => isRecord(value) && typeof value["type"] === "string";

async function request(
  address: string,
  token: string,
  init: RequestInit & { headers?: Record<string, string> },
): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  const response = await fetch(address, { ...init, headers }).catch((cause: unknown) => {
    if (errorCode(cause) === "ECONNRESET") throw new BrokenConnectionError({ cause });
    throw new ConnectionError(`the server cannot be reached: ${errorMessage(cause)}`, { cause });
  });
  if (response.ok) return response;
  const { detail } = recordOf(jsonValue(await response.text()));
  const text = typeof detail === "string" ? detail : `status ${response.status}`;
  throw new ProgramError(`the server says: ${text}`, EXIT_CODE.failed);
}

/** The client of a command line that names a directory or an address. Rejects with `UsageError` or `ProgramError`. */
export async function serverClient(
  target: string,
  args: ParsedArguments,
  context: CommandContext,
): Promise<ServerClient> {
  const given = textOption(args, "token", "a file, or env:NAME");
  const token = given === undefined ? undefined : readToken(given, context).text;
  const named = textOption(args, "agent", "the name of an agent");
  if (isAddress(target)) {
    if (token === undefined)
      throw new UsageError("an address needs the server's token: --token FILE or --token env:NAME");
    return new ServerClient({ url: target, token, agent: named ?? (await onlyAgent(target, token)) });
  }
  const record = runningServer(target, context);
  if (record === undefined)
    throw new ProgramError(`no server runs on ${target}; start one with mdx-ai serve`, EXIT_CODE.failed);
  const known = token ?? record.token;
  if (known === undefined)
    throw new UsageError("the server has users; give your token with --token FILE or --token env:NAME");
  return new ServerClient({ url: record.url, agent: named ?? record.agent, token: known });
}

async function onlyAgent(url: string, token: string): Promise<string> {
  const { agents } = recordOf(await new ServerClient({ url, token, agent: "" }).json("GET", ""));
  const names = (Array.isArray(agents) ? agents : []).map((agent) => String(recordOf(agent)["name"]));
  const [only, other] = names;
  if (only !== undefined && other === undefined) return only;
  throw new UsageError(`the server has the agents ${names.join(", ")}; choose one with --agent NAME`);
}
