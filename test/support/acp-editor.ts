import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type InitializeResponse,
  methods,
  type NewSessionRequest,
  type NewSessionResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { isRecord, jsonValue } from "@mdx-ai/base";
import { type FrontEnd, plainRun, type RunOptions, type SharedAgent } from "@mdx-ai/directory";
import { serveAcp } from "@mdx-ai/server/acp";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { MINIMAL_AGENT, writeFiles } from "./agent-files.ts";
import type { ClientTerminals } from "./client-terminals.ts";
import { eventually } from "./eventually.ts";
import { surroundingsIn } from "./front-end.ts";
import { type Reply, scriptReference } from "./replies.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** How an editor answers what the agent asks. */
interface EditorAnswers {
  readonly permission?: (asked: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
  readonly elicitation?: (asked: CreateElicitationRequest) => Promise<CreateElicitationResponse>;
  readonly readTextFile?: (path: string) => string | undefined;
  readonly writeTextFile?: (path: string, content: string) => void;
  readonly terminals?: ClientTerminals;
}

export interface EditorOptions extends EditorAnswers {
  /** The agent's files; a minimal agent by default. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the model answers, in each session anew. */
  readonly replies?: readonly Reply[];
  readonly capabilities?: ClientCapabilities;
  readonly run?: Partial<RunOptions>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly frontEnd?: Partial<FrontEnd>;
  readonly shared?: SharedAgent;
}

/** A connection of an editor with what passed over it. */
interface EditorParts {
  readonly agent: ClientContext;
  /** The agent's directory. */
  readonly directory: string;
  /** A folder to work in. */
  readonly work: string;
  readonly home: string;
  readonly initialized: InitializeResponse;
  /** All messages of both sides, as they were on the wire. */
  readonly wire: readonly WireMessage[];
  readonly notifications: readonly SessionNotification[];
  readonly warnings: readonly string[];
  /** Disconnects, and resolves when the agent has ended. */
  close(): Promise<void>;
}

export interface WireMessage {
  readonly from: "agent" | "client";
  readonly message: unknown;
}

/** An editor that is connected to an agent in this process, by the protocol's own client. */
export class AcpEditor implements AsyncDisposable {
  readonly parts: EditorParts;

  constructor(parts: EditorParts) {
    this.parts = parts;
  }

  get agent(): ClientContext {
    return this.parts.agent;
  }

  /** The updates of a session so far. */
  updates(sessionId: string): readonly SessionUpdate[] {
    return this.parts.notifications.flatMap((one) => (one.sessionId === sessionId ? [one.update] : []));
  }

  /** The updates of one kind. */
  of<Kind extends SessionUpdate["sessionUpdate"]>(
    sessionId: string,
    kind: Kind,
  ): readonly Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
    return this.updates(sessionId).filter(
      (update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind,
    );
  }

  /** The text of the agent's messages. */
  texts(sessionId: string): string {
    return this.of(sessionId, "agent_message_chunk")
      .map(({ content }) => (content.type === "text" ? content.text : ""))
      .join("");
  }

  open(request: Partial<NewSessionRequest> = {}): Promise<NewSessionResponse> {
    return this.agent.request(methods.agent.session.new, { cwd: this.parts.work, mcpServers: [], ...request });
  }

  say(sessionId: string, text: string): Promise<PromptResponse> {
    return this.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.parts.close();
  }
}

/** Connects an editor to an agent in this process; with `initialize` done. */
export async function acpEditor(options: EditorOptions = {}): Promise<AcpEditor> {
  const home = temporaryDirectory();
  const directory = writeFiles(join(home.path, "agent"), { "agent.mdx": MINIMAL_AGENT, ...options.files });
  const work = join(home.path, "work");
  mkdirSync(work);
  const replies = options.replies ?? [{ text: "Hello." }];
  const model = scriptReference(home.path, replies);
  const { parts } = await connectEditor({ ...options, home: home.path, directory, work, model });
  const close = async (): Promise<void> => {
    await parts.close();
    home[Symbol.dispose]();
  };
  return new AcpEditor({ ...parts, close });
}

export interface Connecting extends EditorOptions {
  readonly home: string;
  readonly directory: string;
  readonly work: string;
  /** Undefined: none is configured. */
  readonly model: string | undefined;
}

/** Connects an editor to an agent directory that exists. */
export async function connectEditor(options: Connecting): Promise<AcpEditor> {
  const { home, directory, work, capabilities = {} } = options;
  const notifications: SessionNotification[] = [];
  const { input, output, wire, warnings, end } = startAgent(options);
  const connection = editorApp(options, notifications).connect(ndJsonStream(input, output));
  const { agent } = connection;
  const initialized = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: capabilities,
  });
  const close = async (): Promise<void> => {
    connection.close();
    await end();
  };
  return new AcpEditor({ agent, directory, work, home, wire, notifications, warnings, initialized, close });
}

interface StartedAgent extends Pick<EditorParts, "wire" | "warnings"> {
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
  end(): Promise<void>;
}

/** Starts an agent in this process; what passes over its streams is recorded. */
function startAgent({ home, directory, model, run, frontEnd, shared, environment = {} }: Connecting): StartedAgent {
  const wire: WireMessage[] = [];
  const warnings: string[] = [];
  const [toAgent, toClient] = [watched("client", wire), watched("agent", wire)];
  const stop = new AbortController();
  const served = serveAcp({
    input: toAgent.readable,
    output: toClient.writable,
    run: { ...plainRun(directory, home), isTrusted: true, flags: model === undefined ? {} : { model }, ...run },
    agent: async () => directory,
    frontEnd: {
      ...surroundingsIn(home, { PATH: process.env["PATH"] ?? "", ...environment }),
      toolHostCommand: toolHostCommand(),
      ...frontEnd,
    },
    ...(shared && { shared }),
    version: "0.0.0",
    signal: stop.signal,
    onWarning: (message) => warnings.push(message),
  });
  const end = async (): Promise<void> => {
    stop.abort();
    await served;
  };
  return { input: toAgent.writable, output: toClient.readable, wire, warnings, end };
}

function editorApp(
  { permission, elicitation, readTextFile, writeTextFile, terminals }: EditorAnswers,
  notifications: SessionNotification[],
) {
  const app = client({ name: "test" })
    .onNotification(methods.client.session.update, ({ params }) => void notifications.push(params))
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      if (permission === undefined) throw new Error("a permission was asked for");
      return permission(params, signal);
    });
  if (elicitation !== undefined) app.onRequest(methods.client.elicitation.create, ({ params }) => elicitation(params));
  if (readTextFile !== undefined) {
    app.onRequest(methods.client.fs.readTextFile, ({ params: { path } }) => {
      const content = readTextFile(path);
      if (content === undefined) throw new Error("no such file");
      return { content };
    });
  }
  if (writeTextFile !== undefined) {
    app.onRequest(methods.client.fs.writeTextFile, ({ params: { path, content } }) => {
      writeTextFile(path, content);
      return {};
    });
  }
  terminals?.serve(app);
  return app;
}

/** A stream of bytes whose lines are recorded as messages. */
function watched(from: "agent" | "client", wire: WireMessage[]) {
  const decoder = new TextDecoder();
  let rest = "";
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) wire.push({ from, message: jsonValue(line) ?? line });
      controller.enqueue(chunk);
    },
  });
}

/** Allows a call with an option, such as "yes". */
export const choosing = (optionId: string) => async (): Promise<RequestPermissionResponse> => ({
  outcome: { outcome: "selected", optionId },
});

/** The parameters of the agent's requests of one method. */
export const requestsOf = ({ parts }: AcpEditor, method: string): readonly unknown[] =>
  parts.wire.flatMap(({ from, message }) =>
    from === "agent" && isRecord(message) && message["method"] === method ? [structuredClone(message["params"])] : [],
  );

/** Waits until an editor has an update. */
export const sees = (editor: AcpEditor, sessionId: string, has: (update: SessionUpdate) => boolean): Promise<void> =>
  eventually(
    () => editor.updates(sessionId).some(has),
    () => JSON.stringify(editor.updates(sessionId)),
  );
