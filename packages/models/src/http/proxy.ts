import type { Environment } from "@mdx-ai/base";

/** The proxy for a request. */
export interface HttpProxy {
  /** With its port. */
  readonly host: string;
  /** The variable that names it. */
  readonly variable: string;
  /** NO_PROXY patterns that seem to match the host but do not apply. */
  readonly ignored: readonly string[];
}

/** The proxy that Bun's `fetch` uses for an address with these variables; undefined if none. */
export function proxyFor(address: string, environment: Environment): HttpProxy | undefined {
  const url = URL.parse(address);
  if (url === null) return undefined;
  const variable = variablesOf(url.protocol).find((name) => environment[name]?.trim());
  const value = variable === undefined ? undefined : environment[variable]?.trim();
  if (variable === undefined || value === undefined) return undefined;
  const patterns = (environment["no_proxy"]?.trim() || environment["NO_PROXY"] || "").split(/[\s,]+/).filter(Boolean);
  if (patterns.some((pattern) => isExempt(url, pattern))) return undefined;
  const host = URL.parse(/^[\w+.-]+:\/\//.test(value) ? value : `http://${value}`)?.host ?? "";
  return { host, variable, ignored: patterns.filter((pattern) => meansHost(url.hostname, pattern)) };
}

const variablesOf = (protocol: string): readonly string[] =>
  [protocol === "https:" ? "https_proxy" : "http_proxy", "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);

/** Whether a pattern exempts a host: `*`, a domain and its subdomains, an address, a network, each with an optional port. */
function isExempt(url: URL, pattern: string): boolean {
  if (pattern === "*") return true;
  const hostname = url.hostname.toLowerCase().replace(/^\[|\]$/g, "");
  const [, written = "", port] = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
  if (port !== undefined && !written.includes(":") && port !== portOf(url)) return false;
  const name = written.replace(/^\*?\./, "");
  if (name.includes("/")) return isWithin(hostname, name);
  const isAddress = /^[\d.]+$|:/.test(hostname);
  return hostname === name || (!isAddress && name !== "" && hostname.endsWith(`.${name}`));
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");

/** Whether an IPv4 address is in a network such as `127.0.0.0/8`. */
function isWithin(hostname: string, network: string): boolean {
  const [start = "", length] = network.split("/");
  const [address, first] = [hostname, start].map(numberOf);
  if (address === undefined || first === undefined) return false;
  const size = 2 ** (32 - Number(length));
  return Math.floor(address / size) === Math.floor(first / size);
}

function numberOf(address: string): number | undefined {
  const parts = address.split(".").map(Number);
  const isAddress = parts.length === 4 && parts.every((part) => part >= 0 && part <= 255);
  return isAddress ? parts.reduce((number, part) => number * 256 + part, 0) : undefined;
}

/** Other programs support patterns such as `127.*`, but Bun does not. */
function meansHost(hostname: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return parts.length > 1 && new RegExp(`^${parts.join(".*")}$`, "i").test(hostname);
}
