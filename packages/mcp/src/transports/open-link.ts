import type { McpServerDefinition } from "@mdx-ai/parser";
import type {
  OAuthClientProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  Transport,
} from "@modelcontextprotocol/client";
import { McpError } from "../mcp-error.ts";
import type { ServerProcess } from "../processes/server-process.ts";
import { AnswerCheck, type AnswerCheckOptions } from "./answer-check.ts";
import { CheckedTransport } from "./checked-transport.ts";
import { LineTransport, type OpenChannel } from "./line-transport.ts";
import { MessageLines } from "./message-lines.ts";
import type { StdioPlace } from "./open-stdio.ts";
import { serverFetch } from "./server-fetch.ts";

export type ClientLibrary = typeof import("@modelcontextprotocol/client");

/** One connection's way to its server. */
export interface Link {
  readonly transport: Transport;
  /** How the server's process ended, or its last words while it runs; undefined if there is nothing to say. */
  readonly complaint: () => string | undefined;
  /** Takes what the user's browser brought back from a sign-in; absent if the transport knows none. */
  readonly finishSignIn?: (parameters: URLSearchParams) => Promise<void>;
  /** Ends the session on the server. Rejects if the server cannot be reached. */
  readonly endSession?: () => Promise<void>;
}

export interface LinkOptions extends AnswerCheckOptions {
  readonly library: ClientLibrary;
  /** With its variables filled in. */
  readonly server: McpServerDefinition;
  readonly place: StdioPlace;
  readonly authProvider?: OAuthClientProvider | undefined;
}

/** Prepares a connection, which the transport's `start` opens. Throws `McpError` if the definition allows none. */
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
    if (process?.end !== undefined) return process.end;
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
  const check = new AnswerCheck({ usesHeaders, onWarning });
  const lines = new MessageLines({ parse: library.parseJSONRPCMessage, onWarning });
  return { transport: new LineTransport({ open, lines, check }), complaint: () => undefined };
}

function httpLink(options: LinkOptions): Link {
  const inner = new options.library.StreamableHTTPClientTransport(urlOf(options.server), networkOptions(options));
  return { ...networkLink(inner, options), endSession: () => inner.terminateSession() };
}

function sseLink(options: LinkOptions): Link {
  return networkLink(new options.library.SSEClientTransport(urlOf(options.server), networkOptions(options)), options);
}

const networkOptions = ({ server, authProvider }: LinkOptions) => ({
  requestInit: { headers: { ...server.headers } },
  fetch: serverFetch(urlOf(server)),
  ...(authProvider && { authProvider }),
});

/** A link over a transport of the library's that signs in. */
function networkLink(
  inner: StreamableHTTPClientTransport | SSEClientTransport,
  { usesHeaders, onWarning }: LinkOptions,
): Link {
  return {
    transport: new CheckedTransport(inner, new AnswerCheck({ usesHeaders, onWarning })),
    complaint: () => undefined,
    finishSignIn: (parameters) => inner.finishAuth(parameters),
  };
}

function urlOf({ url = "" }: McpServerDefinition): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "https:" || parsed?.protocol === "http:") return parsed;
  throw new McpError(`unexpected ${url}, expected an address such as https://example.com/mcp`);
}
