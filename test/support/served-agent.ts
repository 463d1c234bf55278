import { createRedactor } from "@mdx-ai/base";
import { openDirectory } from "@mdx-ai/directory";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { type RunningServer, type ServeOptions, serve } from "@mdx-ai/server/http";
import { type AgentFiles, agentDirectory } from "./agent-directory.ts";
import { type Reply, scriptReference } from "./replies.ts";
import { cliEnvironment } from "./run-cli.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Parsed JSON of any shape. */
export type Json = ReturnType<typeof JSON.parse>;

/** The token of servers in tests. */
export const TOKEN = "a-token-of-some-length";

export interface ServedAgentOptions extends Partial<ServeOptions> {
  readonly files?: AgentFiles;
  /** Of each user, from the first. */
  readonly replies?: readonly Reply[];
  /** In place of one with the replies. */
  readonly model?: LanguageModel;
  /** Seconds after which a question is a no; without end if absent. */
  readonly answersWithin?: number;
  /** The agent's directory; a new one if absent. Absolute. */
  readonly directory?: string;
  /** The user's home folder; a new one if absent. Absolute. */
  readonly home?: string;
}

/** A server in this process with one agent, `agent`. */
export interface ServedAgent extends AsyncDisposable {
  readonly server: RunningServer;
  readonly directory: string;
  readonly home: string;
  /** Resolves when the agents are open. */
  readonly opening: Promise<void>;
  /** The warnings so far. */
  readonly warnings: readonly string[];
  /** Sends a request with the token; a body is sent as JSON. A path without a slash is below `/api/agents/agent/`. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** The same, for the JSON of an answer. */
  json(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Json>;
}

export async function serveAgent(options: ServedAgentOptions = {}): Promise<ServedAgent> {
  const folders = temporaryDirectory();
  const made = options.directory === undefined ? agentDirectory(options.files) : undefined;
  const { directory = made?.path ?? "", home = `${folders.path}/home`, replies = [] } = options;
  const environment = cliEnvironment({ home });
  const warnings: string[] = [];
  const server = serve({
    ...{ host: "127.0.0.1", port: 0, hosts: [], origins: [], isPublic: false, version: "1.2.3" },
    access: { type: "token", token: TOKEN },
    redactor: createRedactor({ environment }),
    onWarning: (text) => warnings.push(text),
    agents: async () => [
      {
        name: "agent",
        open: async (user) =>
          openDirectory(directory, {
            model: options.model ?? (await openModel(scriptReference(folders.path, replies), { environment: {} })),
            run: {
              isTrusted: true,
              session: "main",
              answersWithin: options.answersWithin ?? Number.POSITIVE_INFINITY,
              mode: "ask",
              sandboxMode: "off",
            },
            frontEnd: { environment, currentDirectory: directory, ...(user !== undefined && { user }) },
          }),
      },
    ],
    ...options,
  });
  const opening = server.open();
  opening.catch(() => {});
  const send: ServedAgent["send"] = (method, path, body, headers = {}) =>
    fetch(`${server.url}${path.startsWith("/") ? path : `/api/agents/agent/${path}`}`, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  return {
    ...{ server, directory, home, warnings, send, opening },
    json: async (...request) => bodyOf(await send(...request)),
    async [Symbol.asyncDispose]() {
      await server.stop();
      made?.[Symbol.dispose]();
      folders[Symbol.dispose]();
    },
  };
}

/** The JSON of an answer. */
export const bodyOf = (response: Response): Promise<Json> => response.json();

/** A server-sent event with its id. */
export interface SentEvent {
  readonly id: string | undefined;
  readonly data: Json;
}

/** The server-sent events of an answer as they come, without comments. */
export async function* sentEvents(response: Response): AsyncGenerator<SentEvent, void, undefined> {
  let rest = "";
  for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(
        block
          .split("\n")
          .map((line): [string, string] => [
            line.slice(0, Math.max(0, line.indexOf(":"))),
            line.slice(line.indexOf(":") + 1).replace(/^ /, ""),
          ]),
      );
      const data = fields.get("data");
      if (data !== undefined) yield { id: fields.get("id"), data: data === "[DONE]" ? data : JSON.parse(data) };
    }
  }
}

/** Reads the events of a session until one of a type, and leaves. */
export async function eventsUntil(
  agent: ServedAgent,
  session: string,
  type: string,
  after = "0.0",
): Promise<readonly SentEvent[]> {
  const path = `sessions/${session}/events?after=${after}`;
  const events: SentEvent[] = [];
  for await (const event of sentEvents(await agent.send("GET", path, undefined, { accept: "text/event-stream" }))) {
    events.push(event);
    if (event.data.type === type) return events;
  }
  throw new Error(`the stream ended without ${type}`);
}
