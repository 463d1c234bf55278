import { type EntrypointMistake, mistake } from "./entrypoint-mistake.ts";

/** The server of a `grpc:` entrypoint. */
export interface GrpcServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection is encrypted: not by default for this machine, by default for all others. */
  readonly isSecure: boolean;
}

/** The target of a `grpc:` entrypoint. */
export interface GrpcTarget {
  readonly kind: "method";
  readonly server: GrpcServer;
  /** With its package, such as `weather.v1.Weather`. */
  readonly service: string;
  readonly method: string;
}

const METHOD = /^(?:(.*)\/)?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\/([A-Za-z_]\w*)$/s;
const SERVER_HINT =
  "write HOST:PORT before it, such as `grpc:localhost:50051/weather.Weather/Forecast`, or `grpc: HOST:PORT` in the frontmatter";

/** Reads `package.Service/Method`, with `HOST:PORT/` before it unless the frontmatter names the server. Never throws. */
export function grpcTarget(target: string, usualServer: string | undefined): GrpcTarget | EntrypointMistake {
  const [, address = usualServer, service, method] = METHOD.exec(target) ?? [];
  if (service === undefined || method === undefined) {
    return mistake(`${JSON.stringify(target)} names no method of a service`, "write `grpc:package.Service/Method`");
  }
  if (address === undefined) return mistake("the entrypoint names no server", SERVER_HINT);
  const server = grpcServer(address);
  if (server === undefined) return mistake(`${JSON.stringify(address)} is no address of a server`, SERVER_HINT);
  return { kind: "method", server, service, method };
}

/** The server at `HOST:PORT`, `http://HOST:PORT` or `https://HOST[:PORT]`; undefined for anything else. */
function grpcServer(address: string): GrpcServer | undefined {
  const [, scheme, authority = ""] = /^(?:(https?):\/\/)?([^/?#@\s]+)\/?$/i.exec(address) ?? [];
  const url = `https://${authority}`;
  if (authority === "" || !URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  const [, written] = /:(\d+)$/.exec(authority) ?? [];
  const port = written === undefined ? 443 : Number(written);
  if (host === "" || port < 1 || port > 65_535 || (written === undefined && scheme?.toLowerCase() !== "https"))
    return undefined;
  return { host, port, isSecure: scheme === undefined ? !isOwnMachine(host) : scheme.toLowerCase() === "https" };
}

const isOwnMachine = (host: string): boolean => /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|::1)$/.test(host);
