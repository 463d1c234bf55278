import {
  type AuthMethod,
  agent,
  type InitializeResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk";
import { createRedactor, defined, whenAborted } from "@mdx-ai/base";
import type { FrontEnd, RunOptions, SharedAgent } from "@mdx-ai/directory";
import { invalidParams, requestError } from "./acp-errors.ts";
import type { AcpSession, OpenedState } from "./acp-session.ts";
import { AcpSessions } from "./acp-sessions.ts";
import { Editor } from "./editor.ts";

export interface AcpOptions {
  /** What the client sends, and what it receives. */
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  /** The user's options for all sessions of the agent. */
  readonly run: Omit<RunOptions, "directory">;
  /** The agent of a session that begins, as the user wrote it. Rejects if there is none yet; the error says what to run. */
  readonly agent: () => Promise<string>;
  readonly frontEnd: FrontEnd;
  /** The sessions, if others run them; closed at the end. The tools then work where those run, and the client's servers have no effect. */
  readonly shared?: SharedAgent;
  /** The version of this program. */
  readonly version: string;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  /** Receives warnings that the client cannot show: one line each. */
  readonly onWarning: (message: string) => void;
}

/**
 * Serves an agent to an editor by the Agent Client Protocol, version 1. Each session is an agent of its own, in the client's workspace.
 * Resolves when the client has gone or `signal` has fired, and all agents are closed; prompts that ran stay interrupted. Never rejects.
 */
export async function serveAcp({
  input,
  output,
  run,
  agent: named,
  frontEnd,
  shared,
  version,
  signal,
  onWarning,
}: AcpOptions): Promise<void> {
  const { redactor = createRedactor({ environment: frontEnd.environment }) } = frontEnd;
  const ended = new AbortController();
  const stopped = AbortSignal.any([signal, ended.signal]);
  const editor = new Editor(redactor, () => connection?.client);
  // A model of one's own must be configured: an editor shows no notice that none is.
  const options = { ...run, flags: { ...run.flags, offline: false } };
  const sessions = new AcpSessions({
    ...{ run: options, agent: named, frontEnd, editor, signal: stopped, onWarning },
    ...defined({ shared }),
  });
  const app = handlers(sessions, editor, version);
  const connection = app.connect(ndJsonStream(output, input));
  using _stop = whenAborted(signal, () => connection.close());
  await connection.closed.catch(() => {});
  ended.abort();
  await sessions.closeAll();
  shared?.close();
}

/** The name of the way to authenticate that is a key in the program's environment. */
const KEY = "key";

/** A terminal in which the user trusts the agent, and sees which key is missing. */
const SETUP: AuthMethod = {
  type: "terminal",
  id: "setup",
  name: "Set up in a terminal",
  description: "Asks whether you trust the agent, and says which key its model needs",
  args: ["--setup"],
};

function initialized(version: string, hasTerminal: boolean): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "mdx-ai", title: "mdx-ai", version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, delete: {}, additionalDirectories: {}, resume: {}, close: {} },
    },
    authMethods: [
      {
        id: KEY,
        name: "API key in the environment",
        description: "Set the key of a model's vendor, such as ANTHROPIC_API_KEY, in the environment of this program",
      },
      ...(hasTerminal ? [SETUP] : []),
    ],
  };
}

function handlers(sessions: AcpSessions, editor: Editor, version: string) {
  return agent({ name: "mdx-ai" })
    .onRequest("initialize", ({ params: { clientCapabilities = {} } }) => {
      editor.initialized(clientCapabilities);
      return initialized(version, clientCapabilities.auth?.terminal === true);
    })
    .onRequest("authenticate", ({ params: { methodId } }) =>
      answered(async () => {
        if (methodId !== KEY) throw invalidParams(`there is no authentication method ${JSON.stringify(methodId)}`);
        await sessions.requireReady();
        return {};
      }),
    )
    .onRequest("session/new", ({ params }) =>
      answered(async () => {
        const session = await sessions.create(params);
        const state = await session.state();
        // After the response, before which the client does not know the session.
        setImmediate(() => void session.announce().catch(() => {}));
        return { sessionId: session.id, ...state };
      }),
    )
    .onRequest("session/load", ({ params: { sessionId, ...place } }) =>
      answered(async () => {
        const session = await sessions.reopen(sessionId, place);
        await session.replay();
        return reopened(session);
      }, sessionId),
    )
    .onRequest("session/resume", ({ params: { sessionId, ...place } }) =>
      answered(async () => reopened(await sessions.reopen(sessionId, place)), sessionId),
    )
    .onRequest("session/list", ({ params }) => answered(() => sessions.list(params)))
    .onRequest("session/close", ({ params: { sessionId } }) =>
      answered(async () => {
        await sessions.close(sessionId);
        return {};
      }, sessionId),
    )
    .onRequest("session/delete", ({ params: { sessionId } }) =>
      answered(async () => {
        await sessions.delete(sessionId);
        return {};
      }, sessionId),
    )
    .onRequest("session/set_mode", ({ params: { sessionId, modeId } }) =>
      answered(async () => {
        await sessions.get(sessionId).setMode(modeId);
        return {};
      }, sessionId),
    )
    .onRequest("session/set_config_option", ({ params: { sessionId, configId, value } }) =>
      answered(async () => ({ configOptions: await sessions.get(sessionId).setOption(configId, value) }), sessionId),
    )
    .onRequest("session/prompt", ({ params: { sessionId, prompt }, signal }) =>
      answered(() => sessions.get(sessionId).prompt(prompt, signal), sessionId),
    )
    .onNotification("session/cancel", ({ params: { sessionId } }) => sessions.find(sessionId)?.cancel());
}

async function reopened(session: AcpSession): Promise<OpenedState> {
  const state = await session.state();
  await session.announce();
  return state;
}

/** The response to a request. Rejects with a `RequestError` alone. */
async function answered<Response>(work: () => Promise<Response>, session?: string): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    throw requestError(error, session);
  }
}
