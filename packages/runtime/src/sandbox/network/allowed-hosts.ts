import { isIP } from "node:net";

/** A host and a port that a client asks for. */
export interface Destination {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

/** How a destination is allowed: by its name, and only at public addresses; or exactly as it was listed. */
export type Allowance = "public" | "literal";

const DEFAULT_PORTS: readonly number[] = [80, 443];

interface HostRule {
  /** In lower case; for a wildcard what follows the `*`. */
  readonly name: string;
  readonly isWildcard: boolean;
  readonly ports: readonly number[];
}

/**
 * Whether a destination is among the listed hosts: `api.example.com`, `*.example.com` (all below it, not itself), each at
 * the ports 80 and 443, or `localhost:8080`, `[::1]:8080` at that port. Undefined if it is not.
 */
export function allowanceOf({ host, port }: Destination, listed: readonly string[]): Allowance | undefined {
  const name = host.toLowerCase().replace(/\.$/, "");
  const rules = listed.flatMap((entry) => ruleOf(entry) ?? []).filter(({ ports }) => ports.includes(port));
  // This machine, and addresses, are only allowed as they were written.
  if (isLiteral(name)) return rules.some((rule) => !rule.isWildcard && rule.name === name) ? "literal" : undefined;
  return rules.some((rule) => matches(name, rule)) ? "public" : undefined;
}

/** The host and the port of `host:port` or `[address]:port`; undefined for anything else. */
export function destinationOf(authority: string, defaultPort?: number): Destination | undefined {
  const [, address, name, port] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/@?#[\]]+))(?::(\d{1,5}))?$/i.exec(authority) ?? [];
  const host = address ?? name;
  const number = port === undefined ? defaultPort : Number(port);
  if (host === undefined || number === undefined || number < 1 || number > 65_535) return undefined;
  return { host, port: number };
}

function ruleOf(entry: string): HostRule | undefined {
  const isWildcard = entry.startsWith("*.");
  const authority = isWildcard ? entry.slice(2) : entry;
  const destination = destinationOf(authority, DEFAULT_PORTS[0]);
  if (destination === undefined) return undefined;
  const name = destination.host.toLowerCase().replace(/\.$/, "");
  const ports = /:\d+$/.test(authority.replace(/^\[.*\]/, "")) ? [destination.port] : DEFAULT_PORTS;
  return { name: isWildcard ? `.${name}` : name, isWildcard, ports };
}

const matches = (name: string, rule: HostRule): boolean =>
  rule.isWildcard ? name.endsWith(rule.name) && name.length > rule.name.length : name === rule.name;

const isLiteral = (name: string): boolean => isIP(name) !== 0 || name === "localhost" || name.endsWith(".localhost");
