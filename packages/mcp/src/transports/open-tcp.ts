import { within } from "@mdx-ai/base";
import { McpError } from "../mcp-error.ts";
import type { ByteChannel, ChannelEvents } from "../processes/server-process.ts";

/** Milliseconds for a server to close its end. */
const CLOSE_LIMIT = 500;

/** Connects to `tcp://HOST:PORT`. Rejects with `McpError`. */
export async function openTcp(url: string, events: ChannelEvents): Promise<ByteChannel> {
  const { host, port } = addressOf(url);
  const { connect } = await import("node:net");
  const socket = connect({ host, port, noDelay: true });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve());
    socket.once("error", (error) =>
      reject(new McpError(`cannot connect to ${url} (${error.message})`, { cause: error })),
    );
  });
  // The close event has the reason.
  socket.on("error", () => {});
  socket.on("data", (bytes: Uint8Array) => {
    socket.pause();
    void events.onBytes(bytes).then(() => socket.resume());
  });
  void closed.then(() => events.onEnd());
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        socket.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    close: async () => {
      socket.end();
      await within(closed, CLOSE_LIMIT);
      socket.destroy();
    },
  };
}

function addressOf(url: string): { readonly host: string; readonly port: number } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "tcp:" || parsed.hostname === "" || parsed.port === "") {
    throw new McpError(`unexpected ${url}, expected tcp://HOST:PORT`);
  }
  return { host: parsed.hostname.replace(/^\[|\]$/g, ""), port: Number(parsed.port) };
}
