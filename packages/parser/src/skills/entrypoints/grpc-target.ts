import type { SkillEntrypoint } from "../../types/skill-definition.ts";
import { type EntrypointMistake, type EntrypointScheme, mistake } from "./entrypoint-scheme.ts";

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
export function grpcTarget({ target, settings }: SkillEntrypoint): GrpcTarget | EntrypointMistake {
  const [, address = settings?.["grpc"], service, method] = METHOD.exec(target) ?? [];
  if (service === undefined || method === undefined) {
    return mistake(`${JSON.stringify(target)} names no method of a service`, "write `grpc:package.Service/Method`");
  }
  if (address === undefined) return mistake("the entrypoint names no server", SERVER_HINT);
  const server = grpcServer(address);
  if (server === undefined)
    return mistake(`unexpected server ${JSON.stringify(address)}, expected HOST:PORT`, SERVER_HINT);
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
  return { host, port, isSecure: scheme === undefined ? !isThisMachine(host) : scheme.toLowerCase() === "https" };
}

const isThisMachine = (host: string): boolean => /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|::1)$/.test(host);

/** The file of protocol buffers that describes the service, relative to the skill's folder; undefined: the server is asked. */
export const protoFile = ({ settings }: SkillEntrypoint): string | undefined => settings?.["proto"];

/** `grpc` names the server of the entrypoints that name none, `proto` the file that describes it. */
export const grpcScheme: EntrypointScheme = {
  settings: ["proto", "grpc"],
  read: grpcTarget,
  neededFile: (entrypoint) => {
    const path = protoFile(entrypoint);
    if (path === undefined) return undefined;
    const message = `no file \`${path}\` in the skill's folder`;
    return { paths: [path], message, hint: "add it, or remove `proto:` to ask the server" };
  },
};
