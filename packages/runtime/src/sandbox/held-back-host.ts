import { allowanceOf, destinationOf, listedDestination } from "./network/allowed-hosts.ts";
import { isBridge } from "./network/bridge-environment.ts";

const HOST = String.raw`(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9_-]|\.(?=[a-z0-9_]))*)`;

const sign = (pattern: string): RegExp => new RegExp(pattern.replace("<host>", HOST), "gi");

/** The messages of programs about a host that they cannot reach: first the host, then its port, if they name it. */
const NAMING: readonly RegExp[] = [
  // The proxy of the sandbox.
  "mdx-ai: <host>:(\\d+) is not among the hosts that may be reached",
  // curl, git, cargo
  "Could not resolve (?:host|proxy): <host>",
  "failed to resolve address for <host>",
  "Failed to connect to <host> port (\\d+)",
  // Node.js, npm
  "(?:getaddrinfo|query[A-Z]{1,8}) E[A-Z_]{1,20} <host>",
  "connect E(?:CONNREFUSED|NETUNREACH|HOSTUNREACH) <host>:(\\d+)",
  "403 Forbidden - [A-Z]{1,8} https?://<host>(?::(\\d+))?/",
  // Python
  "Failed to resolve '<host>'",
  "HTTPS?ConnectionPool\\(host='<host>', port=(\\d+)\\)",
  // wget
  "unable to resolve host address ['‘]<host>['’]",
  "Connecting to <host>:(\\d+)\\.\\.\\. failed",
  // apt
  "(?:Could not resolve|Temporary failure resolving) '<host>'",
  "Could not connect to <host>:(\\d+)",
  // Go
  "dial tcp: lookup <host>",
  "dial tcp <host>:(\\d+): connect",
].map(sign);

/** The messages of programs without a network, or refused by the proxy, that name no host. */
const NAMELESS =
  /Could not resolve|unable to resolve host|Temporary failure in name resolution|Name or service not known|EAI_AGAIN|ENETUNREACH|Network is unreachable|(?:CONNECT tunnel failed, response|Tunnel connection failed:|Proxy refused to open a tunnel:) 403|Proxy tunneling failed: Forbidden|Connection refused|ECONNREFUSED|Couldn't connect to server|ConnectionRefused|FailedToOpenSocket|Unable to connect\. Is the computer able to access the url/gi;

/** Programs that reach no proxy of their own accord. */
const PAST_PROXIES = /ssh: Could not resolve hostname/i;

/** The exit codes of curl and wget, even when silenced, if they reach no host. */
const SILENT: Readonly<Record<string, readonly number[]>> = { curl: [5, 6, 7, 56], wget: [4] };

/** The hosts of programs that do not name them. */
const OF_PROGRAMS: readonly (readonly [program: RegExp, host: string])[] = [
  [/\b(?:pip3?|uv|pipx|poetry)\b/, "pypi.org"],
  [/\b(?:npm|npx|pnpm|bunx?|yarn)\b/, "registry.npmjs.org"],
  [/\bcargo\b/, "index.crates.io"],
];

/** A host as `sandbox.network` would list it, and its position in the output. */
interface NamedHost {
  readonly index: number;
  readonly host: string;
}

/** Whether an output shows that a program did not reach the network. */
export const showsNoNetwork = (output: string): boolean => output.search(NAMELESS) !== -1;

/** Whether an output is an answer of the proxy: some programs succeed with it. */
export const showsRefusal = (output: string): boolean => /\bis not among the hosts that may be reached \(/.test(output);

/** The hosts that an output names as not reached. */
export function namedHosts(output: string, command: string): readonly NamedHost[] {
  if (PAST_PROXIES.test(output)) return [];
  return NAMING.flatMap((pattern) =>
    [...output.matchAll(pattern)].flatMap((match) => {
      const [, host = "", port] = match;
      const listed = listedHost(host, port ?? portIn(`${command}\n${output}`, host));
      return listed === undefined ? [] : [{ index: match.index, host: listed }];
    }),
  );
}

/** The host that a command is about if its output or its exit code only shows that it reached none. */
export function unnamedHost(command: string, output: string, exitCode: number | null): string | undefined {
  if (PAST_PROXIES.test(output)) return undefined;
  const isSilent = Object.entries(SILENT).some(
    ([program, codes]) => exitCode !== null && codes.includes(exitCode) && new RegExp(`\\b${program}\\b`).test(command),
  );
  if (!isSilent && !showsNoNetwork(output)) return undefined;
  const [, host, port] = new RegExp(`\\bhttps?://(?:[^\\s/@'"]+@)?${HOST}(?::(\\d+))?`, "i").exec(command) ?? [];
  if (host !== undefined) return listedHost(host, port);
  return OF_PROGRAMS.find(([program]) => program.test(command))?.[1];
}

/** Whether a host, as it is listed, can be reached. */
export function isReached(host: string, hosts: readonly string[]): boolean {
  const destination = destinationOf(host, 443);
  return destination !== undefined && allowanceOf(destination, hosts) !== undefined;
}

/** The port of a host in a URL of a text. */
const portIn = (text: string, host: string): string | undefined =>
  new RegExp(`//${host.replaceAll(/[.[\]]/g, "\\$&")}:(\\d+)`, "i").exec(text)?.[1];

function listedHost(host: string, port: string | undefined): string | undefined {
  const destination = destinationOf(port === undefined ? host : `${host}:${port}`, 443);
  const listed = destination && listedDestination(destination);
  return listed === undefined || isBridge(listed) ? undefined : listed;
}
