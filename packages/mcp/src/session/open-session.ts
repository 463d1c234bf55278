import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { visibleLine } from "@mdx-ai/base";
import type { McpServerDefinition } from "@mdx-ai/parser";
import type { Client, ConnectOptions } from "@modelcontextprotocol/client";
import type { Warn } from "../mcp-connection.ts";
import type { SignIn } from "../sign-in/sign-in.ts";
import type { ClientLibrary } from "../transports/client-library.ts";
import { type Link, openLink } from "../transports/open-link.ts";
import type { StdioPlace } from "../transports/open-stdio.ts";
import { ClientSession } from "./client-session.ts";
import { errorReason } from "./error-reason.ts";
import type { ServerList } from "./server-list.ts";
import type { SessionQuestions } from "./session-questions.ts";

export interface SessionOptions {
  /** Its variables are resolved. */
  readonly server: McpServerDefinition;
  readonly place: StdioPlace;
  readonly roots: readonly string[];
  readonly questions: SessionQuestions;
  readonly signIn: SignIn | undefined;
  /** Milliseconds between two signs of life of a call. */
  readonly callLimit: number;
  /** The server closed the connection. */
  readonly onEnd: (reason: string) => void;
  /** A request or a stream broke off; the server may have gone. */
  readonly onTrouble: () => void;
  readonly onListChange: (list: ServerList) => void;
  readonly onWarning: Warn;
}

/** The protocol of the server; `legacy`: only the handshake of revisions up to 2025-11-25. */
export type ServerEra = "unknown" | "legacy";

/** Milliseconds for a server to answer the first request of revision 2026-07-28, which old servers may ignore. */
const PROBE_LIMIT = 3_000;

/** Pages read of one list. */
const MAX_PAGES = 200;

/** A connection that is being opened. */
export interface OpeningSession {
  readonly link: Link;
  /** Rejects with the library's errors. */
  readonly opened: Promise<ClientSession>;
}

/** Starts to connect. Rejects with `McpError` if the definition allows no connection. */
export async function openSession(
  library: ClientLibrary,
  options: SessionOptions,
  era: ServerEra,
): Promise<OpeningSession> {
  const { server, place, signIn, onWarning } = options;
  const client = await newClient(library, options);
  const link = await openLink({
    library,
    server,
    place,
    authProvider: signIn,
    onWarning,
    usesHeaders: () => server.transport === "http" && client.getProtocolEra() === "modern",
  });
  return { link, opened: connected(library, client, link, options, era) };
}

async function connected(
  library: ClientLibrary,
  client: Client,
  link: Link,
  options: SessionOptions,
  era: ServerEra,
): Promise<ClientSession> {
  const { questions, signIn, callLimit, onEnd, onTrouble, onWarning } = options;
  await client.connect(link.transport, connectOptions(options.server, era));
  // For a program, its exit is enough.
  if (link.finishSignIn) client.onerror = (error) => error instanceof library.UnauthorizedError || onTrouble();
  client.onclose = () => onEnd(link.complaint() ?? "the server has closed the connection");
  if (client.getServerCapabilities()?.logging && client.getProtocolEra() === "legacy") {
    // A server that ignores the level sends more messages, which are dropped.
    void client.setLoggingLevel("error").catch(() => {});
  }
  return new ClientSession({ library, client, link, questions, signIn, callLimit, onWarning });
}

function connectOptions({ transport }: McpServerDefinition, era: ServerEra): ConnectOptions {
  // Disables the library's time limit. The event streams of 2024-11-05 never use the newest revision.
  const timeout = 2 ** 31 - 1;
  return era === "legacy" || transport === "sse" ? { timeout, prior: { kind: "legacy" } } : { timeout };
}

async function newClient(library: ClientLibrary, options: SessionOptions): Promise<Client> {
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  const { questions, roots, server, onListChange, onWarning } = options;
  const isPipe = server.transport === "stdio" || server.transport === "tcp";
  const changed = (list: ServerList) => ({ autoRefresh: false, debounceMs: 0, onChanged: () => onListChange(list) });
  const client = new library.Client(
    { name: "mdx-ai", version: manifest.version },
    {
      capabilities: {
        ...(questions.isAnswered && { elicitation: { form: { applyDefaults: true }, url: {} } }),
        ...(roots.length > 0 && { roots: {} }),
      },
      versionNegotiation: { mode: "auto", probe: isPipe ? { timeoutMs: PROBE_LIMIT } : {} },
      listChanged: { tools: changed("tools"), resources: changed("resources"), prompts: changed("prompts") },
      listMaxPages: MAX_PAGES,
    },
  );
  if (questions.isAnswered) {
    client.setRequestHandler("elicitation/create", (request, { mcpReq }) => questions.elicit(request, mcpReq.signal));
  }
  if (roots.length > 0) client.setRequestHandler("roots/list", () => ({ roots: roots.map(rootOf) }));
  client.setNotificationHandler("notifications/message", ({ params }) => {
    if (ERRORS.has(params.level)) onWarning(`reports: ${logText(params.data)}`);
  });
  return client;
}

const ERRORS = new Set<string>(["error", "critical", "alert", "emergency"]);

const rootOf = (folder: string): { uri: string; name: string } => ({
  uri: pathToFileURL(folder).href,
  name: basename(folder),
});

const LOG_LENGTH = 500;

const logText = (data: unknown): string =>
  visibleLine((typeof data === "string" ? data : JSON.stringify(data)).slice(0, LOG_LENGTH));

/** Why a connection was not opened, as a reason. */
export function openingReason(error: unknown, link: Link): string {
  const complaint = link.complaint();
  if (complaint === undefined) return errorReason(error);
  return complaint.startsWith("it wrote") ? `${errorReason(error)}; ${complaint}` : complaint;
}
