import { lookup } from "node:dns/promises";
import { createServer, type Server, type Socket } from "node:net";
import type { KeyInjector } from "../credentials/key-injector.ts";
import { plainProblem, type SandboxCredential } from "../credentials/sandbox-credential.ts";
import { allowanceOf, type Destination, destinationOf, PublicAddresses } from "./allowed-hosts.ts";
import { PROXY_USER } from "./bridge-environment.ts";
import { connectFirst } from "./connect-first.ts";

/** The most clients of a proxy at a time; others are rejected. Each costs the agent two open files, and memory for its head. */
export const MAX_CLIENTS = 256;

const HEAD_LIMIT = 65_536;
const HEAD_MILLISECONDS = 30_000;

export interface ProxyOptions {
  /** The path of its socket, absolute; if absent, it listens on a free port of the loopback. */
  readonly path?: string;
  /** The hosts that it connects to, in the form that `allowanceOf` reads, or all. */
  readonly hosts: "all" | readonly string[];
  /** Puts keys into requests to hosts with a credential. */
  readonly keys?: KeyInjector | undefined;
  /** Clients must send it with the name `PROXY_USER`. Default: all clients are served. */
  readonly password?: string | undefined;
  /** Resolves the addresses of a host. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

interface ProxyRequest {
  readonly destination: Destination;
  /** The bytes sent to the destination first; undefined for a tunnel. */
  readonly head: string | undefined;
  /** The value of `Proxy-Authorization`. */
  readonly authorization?: string | undefined;
}

/** Receives what a proxy does not do for its clients. Methods must not throw. */
export interface ProxyWatch {
  onRefused(destination: Destination): void;
  /** A request got no key; the reason is a line without a full stop. */
  onProblem(problem: string): void;
}

/** Headers between a client and its proxy, and headers that repeat the first line. */
const OF_THE_PROXY = /^(?:proxy-[^:]*|connection|keep-alive|host|upgrade)\s*:/i;

class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** A proxy for HTTP and, through CONNECT, for other protocols. It connects to listed hosts only. */
export class FilteringProxy {
  readonly #hosts: "all" | readonly string[];
  readonly #keys: KeyInjector | undefined;
  readonly #authorization: string | undefined;
  /** As in the options. */
  readonly password: string | undefined;
  readonly #resolve: (host: string) => Promise<readonly string[]>;
  readonly #addresses = new PublicAddresses();
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<ProxyWatch>();
  readonly #server: Server;

  private constructor({ hosts, resolve = addressesOf, keys, password }: ProxyOptions) {
    this.#hosts = hosts;
    this.#keys = keys;
    this.password = password;
    this.#authorization = password && `Basic ${btoa(`${PROXY_USER}:${password}`)}`;
    this.#resolve = resolve;
    this.#server = createServer((socket) => this.#take(socket));
    this.#server.maxConnections = MAX_CLIENTS;
    this.#server.unref();
  }

  /** Rejects with the system's error. */
  static async open(options: ProxyOptions): Promise<FilteringProxy> {
    const proxy = new FilteringProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject);
      if (options.path === undefined) proxy.#server.listen(0, "127.0.0.1", () => resolve());
      else proxy.#server.listen(options.path, () => resolve());
    });
    return proxy;
  }

  /** The path of its socket, absolute, or its port. */
  get address(): string | number {
    const address = this.#server.address();
    return typeof address === "object" ? (address?.port ?? "") : address;
  }

  /** Reports until the returned function is called. */
  watch(watch: ProxyWatch): () => void {
    this.#watches.add(watch);
    return () => this.#watches.delete(watch);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(client: Socket): void {
    this.#keep(client);
    let head = Buffer.alloc(0);
    client.setTimeout(HEAD_MILLISECONDS, () => client.destroy());
    const onData = (bytes: Buffer): void => {
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0 && head.length < HEAD_LIMIT) return;
      client.pause();
      client.off("data", onData);
      client.setTimeout(0);
      const request = end < 0 ? undefined : proxyRequest(head.subarray(0, end).toString("latin1"));
      if (request === undefined)
        refuse(client, "400 Bad Request", "this is a proxy: http://HOST/ or CONNECT HOST:PORT");
      else if (this.#authorization !== undefined && request.authorization !== this.#authorization)
        refuse(client, "407 Proxy Authentication Required", "this proxy serves programs in a sandbox only");
      else void this.#serve(client, request, head.subarray(end + 4));
    };
    client.on("data", onData);
  }

  async #serve(client: Socket, { destination, head }: ProxyRequest, rest: Buffer): Promise<void> {
    const name = `${destination.host}:${destination.port}`;
    const credential = this.#keys?.find((host) => allowanceOf(destination, [host]) !== undefined);
    try {
      const server = await this.#connect(destination, client);
      if (credential !== undefined) return this.#serveKeyed(credential, { client, server, destination, head }, rest);
      endTogether(client, server);
      if (head === undefined) client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      else server.write(head, "latin1");
      if (rest.length > 0) server.write(rest);
      client.pipe(server);
      server.pipe(client);
      client.resume();
    } catch (error) {
      const refused = error instanceof RefusedError;
      const reason = refused ? error.message : `${name} cannot be reached: ${String(error)}`;
      refuse(client, refused ? "403 Forbidden" : "502 Bad Gateway", reason);
    }
  }

  /** Throws `RefusedError` for a request that is not within a tunnel. */
  #serveKeyed(credential: SandboxCredential, { client, server, destination, head }: KeyedRoute, rest: Buffer): void {
    const onProblem = (problem: string): void => {
      for (const watch of this.#watches) watch.onProblem(problem);
    };
    if (head !== undefined) {
      server.destroy();
      onProblem(plainProblem(credential));
      throw new RefusedError(plainProblem(credential));
    }
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (rest.length > 0) client.unshift(rest);
    void this.#keys?.serve({
      ...{ credential, host: plainName(destination.host), port: destination.port, client, server },
      isHost: (text) => isSameHost(destinationOf(text, 443), destination),
      onProblem,
    });
  }

  async #connect(destination: Destination, client: Socket): Promise<Socket> {
    const left = new AbortController();
    client.once("close", () => left.abort());
    const addresses = await this.#addressesOf(destination);
    const server = await connectFirst(addresses, destination.port, left.signal);
    this.#keep(server);
    return server;
  }

  /** Connects to the checked addresses only: the name is not resolved again. */
  async #addressesOf({ host, port }: Destination): Promise<readonly string[]> {
    const hosts = this.#hosts;
    const allowance = hosts === "all" ? "literal" : allowanceOf({ host, port }, hosts);
    if (allowance === undefined) {
      for (const watch of this.#watches) watch.onRefused({ host, port });
      throw new RefusedError(
        `${host}:${port} is not among the hosts that may be reached (${[hosts].flat().join(", ") || "none"})`,
      );
    }
    const found = await this.#resolve(host);
    const allowed = found.filter((address) => allowance === "literal" || this.#addresses.has(address));
    if (allowed.length === 0) throw new RefusedError(`${host} has no public address`);
    return allowed;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
    socket.unref();
  }
}

/** A client and the host that it is connected to. */
interface KeyedRoute extends Pick<ProxyRequest, "destination" | "head"> {
  readonly client: Socket;
  readonly server: Socket;
}

const isSameHost = (one: Destination | undefined, other: Destination): boolean =>
  one?.port === other.port && plainName(one.host) === plainName(other.host);

const plainName = (host: string): string => host.toLowerCase().replace(/\.$/, "");

async function addressesOf(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** `pipe` does not forward a broken connection: without this, the other side would wait forever. */
function endTogether(client: Socket, server: Socket): void {
  client.once("close", () => server.destroy());
  server.once("close", (isBroken) => (isBroken ? client.destroy() : client.end()));
  if (client.destroyed) server.destroy();
}

function refuse(client: Socket, status: string, reason: string): void {
  const text = `mdx-ai: ${reason}\n`;
  const headers = [
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Connection: close",
    ...(status.startsWith("407") ? ['Proxy-Authenticate: Basic realm="mdx-ai"'] : []),
  ];
  client.end(`HTTP/1.1 ${status}\r\n${headers.join("\r\n")}\r\n\r\n${text}`);
}

/** Parses the head of a request to a proxy, without its final empty line; undefined if it is malformed. */
export function proxyRequest(head: string): ProxyRequest | undefined {
  const [first = "", ...headers] = head.split("\r\n");
  const [, method = "", target = "", version = ""] = /^([A-Z]+) (\S+) (HTTP\/1\.[01])$/.exec(first) ?? [];
  const authorization = headers.flatMap((header) => /^proxy-authorization:\s*(.*?)\s*$/i.exec(header)?.[1] ?? [])[0];
  if (method === "CONNECT") {
    const destination = destinationOf(target);
    return destination && { destination, head: undefined, authorization };
  }
  const [, authority = "", path = ""] = /^http:\/\/([^/?#]+)([^#]*)/i.exec(target) ?? [];
  const destination = destinationOf(authority, 80);
  if (destination === undefined) return undefined;
  const own = [`Host: ${authority}`, "Connection: close"];
  const kept = headers.filter((header) => !OF_THE_PROXY.test(header));
  const line = `${method} ${path.startsWith("/") ? path : `/${path}`} ${version}`;
  return { destination, head: [line, ...own, ...kept, "", ""].join("\r\n"), authorization };
}
