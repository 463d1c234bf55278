import { InMemoryServerEventBus, type McpServer } from "@modelcontextprotocol/server";
import { sessionUri } from "./session-uri.ts";

/** The first revision with `subscriptions/listen` in place of `resources/subscribe`. */
const LISTENING = "2026-07-28";

/** Tells clients that tools or sessions have changed: of newer revisions those that listen, of older ones those that are connected. */
export class ChangeNotices {
  /** For listeners over HTTP. */
  readonly bus: InMemoryServerEventBus = new InMemoryServerEventBus();
  /** The servers of lasting connections, each with the resources that its client subscribed to. */
  readonly #connected = new Map<McpServer, Set<string>>();

  /** Adds the server of a connection that lasts. Call it before it is connected. */
  add(mcp: McpServer): McpServer {
    const uris = new Set<string>();
    const { server } = mcp;
    server.setRequestHandler("resources/subscribe", ({ params }) => {
      uris.add(params.uri);
      return {};
    });
    server.setRequestHandler("resources/unsubscribe", ({ params }) => {
      uris.delete(params.uri);
      return {};
    });
    this.#connected.set(mcp, uris);
    server.onclose = () => void this.#connected.delete(mcp);
    return mcp;
  }

  /** The files of the agent have changed and are loaded. */
  toolsChanged(): void {
    this.bus.publish({ kind: "tools_list_changed" });
    this.#tell((mcp) => mcp.server.sendToolListChanged());
  }

  /** There is another session. */
  sessionMade(): void {
    this.bus.publish({ kind: "resources_list_changed" });
    this.#tell((mcp) => mcp.server.sendResourceListChanged());
  }

  /** A prompt of a session has begun, ended or asked. */
  sessionChanged(id: string): void {
    const uri = sessionUri(id);
    this.bus.publish({ kind: "resource_updated", uri });
    this.#tell(async (mcp, uris) => {
      // A newer revision filters by what its client listens to.
      const isNewer = (mcp.server.getNegotiatedProtocolVersion() ?? "") >= LISTENING;
      if (isNewer || uris.has(uri)) await mcp.server.sendResourceUpdated({ uri });
    });
  }

  /** A client that does not hear it has gone. */
  #tell(send: (mcp: McpServer, uris: ReadonlySet<string>) => Promise<void>): void {
    for (const [mcp, uris] of this.#connected) send(mcp, uris).catch(() => {});
  }
}
