import type { McpServerDefinition } from "@mdx-ai/parser";
import type {
  OAuthClientProvider,
  SSEClientTransport,
  SSEClientTransportOptions,
  StreamableHTTPClientTransport,
  Transport,
} from "@modelcontextprotocol/client";
import { McpError } from "../mcp-error.ts";
import type { ServerProcess } from "../processes/server-process.ts";
import type { ClientLibrary } from "./client-library.ts";
import { LineTransport, type OpenChannel } from "./line-transport.ts";
import type { ListedItemsOptions } from "./listed-items.ts";
import { MessageLines } from "./message-lines.ts";
import type { StdioPlace } from "./open-stdio.ts";
import { serverFetch } from "./server-fetch.ts";
import { ServerMessages } from "./server-messages.ts";

/** The transport of one connection. */
export interface Link {
  readonly transport: Transport;
  /** Whether the server declared tools. */
  readonly declaresTools: () => boolean;
  /** How the server's process ended, or its last output while it runs; undefined if there is nothing to report. */
  readonly complaint: () => string | undefined;
  /** Receives the parameters of the redirect after a sign-in; absent if the transport has no sign-in. */
  readonly finishSignIn?: (parameters: URLSearchParams) => Promise<void>;
  /** Ends the session on the server. Rejects if the server cannot be reached. */
  readonly endSession?: () => Promise<void>;
}

export interface LinkOptions extends ListedItemsOptions {
  readonly library: ClientLibrary;
  /** Its variables are resolved. */
  readonly server: McpServerDefinition;
  readonly place: StdioPlace;
  readonly authProvider?: OAuthClientProvider | undefined;
}

/** Prepares a connection; the transport's `start` opens it. Throws `McpError` if the definition allows no connection. */
export async function openLink(options: LinkOptions): Promise<Link> {
  switch (options.server.transport) {
    case "stdio":
      return stdioLink(options);
    case "tcp":
      return tcpLink(options);
    case "http":
      return httpLink(options);
    case "sse":
      return sseLink(options);
  }
}

async function stdioLink(options: LinkOptions): Promise<Link> {
  const { startServer } = await import("./open-stdio.ts");
  let process: ServerProcess | undefined;
  const link = lineLink(options, async (events) => {
    process = startServer(options.server, options.place, events);
    return process;
  });
  const complaint = (): string | undefined => {
    const end = process?.endReason(options.place.environment);
    if (end !== undefined) return end;
    const words = process?.lastWords ?? "";
    return words === "" ? undefined : `it wrote${words}`;
  };
  return { ...link, complaint };
}

async function tcpLink(options: LinkOptions): Promise<Link> {
  const { openTcp } = await import("./open-tcp.ts");
  return lineLink(options, (events) => openTcp(options.server.url ?? "", events));
}

function lineLink({ library, usesHeaders, onWarning }: LinkOptions, open: OpenChannel): Link {
  const messages = new ServerMessages({ library, usesHeaders, onWarning });
  const lines = new MessageLines({ messages, onWarning });
  return {
    transport: new LineTransport({ open, lines, messages }),
    declaresTools: () => messages.declaresTools,
    complaint: () => undefined,
  };
}

async function httpLink(options: LinkOptions): Promise<Link> {
  const network = await networkOf(options, true);
  const inner = new options.library.StreamableHTTPClientTransport(urlOf(options.server), network.options);
  return { ...networkLink(inner, network), endSession: () => inner.terminateSession() };
}

async function sseLink(options: LinkOptions): Promise<Link> {
  const network = await networkOf(options, false);
  return networkLink(new options.library.SSEClientTransport(urlOf(options.server), network.options), network);
}

interface Network {
  readonly messages: ServerMessages;
  readonly options: SSEClientTransportOptions;
}

async function networkOf(
  { library, server, place, authProvider, usesHeaders, onWarning }: LinkOptions,
  isStreamable: boolean,
): Promise<Network> {
  const { HttpAnswers } = await import("./http-answers.ts");
  const messages = new ServerMessages({ library, usesHeaders, onWarning });
  const answers = new HttpAnswers({ parse: library.parseJSONRPCMessage, messages, isStreamable });
  const headers = { ...server.headers };
  const options = {
    requestInit: { headers },
    fetch: serverFetch({ url: urlOf(server), headers }, place.environment, answers),
    ...(authProvider && { authProvider }),
  };
  return { messages, options };
}

/** A link over one of the library's transports with sign-in. */
const networkLink = (inner: StreamableHTTPClientTransport | SSEClientTransport, { messages }: Network): Link => ({
  transport: inner,
  declaresTools: () => messages.declaresTools,
  complaint: () => undefined,
  finishSignIn: (parameters) => inner.finishAuth(parameters),
});

function urlOf({ url = "" }: McpServerDefinition): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "https:" || parsed?.protocol === "http:") return parsed;
  throw new McpError(`unexpected ${url}, expected an address such as https://example.com/mcp`);
}
