import type { BlockList } from "node:net";
import { networkInterfaces } from "node:os";

/** Loaded on first use: most prompts start no command, and loading takes a millisecond. */
const net = (): typeof import("node:net") => process.getBuiltinModule("node:net");

/** A host and a port that a client requests. */
export interface Destination {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

/** How a destination is allowed: by name, only at public addresses; or exactly as listed. */
type Allowance = "public" | "literal";

const DEFAULT_PORTS: readonly number[] = [80, 443];

interface HostRule {
  /** In lower case; for a wildcard, the part after the `*`. */
  readonly name: string;
  readonly isWildcard: boolean;
  readonly ports: readonly number[];
}

/**
 * The list entry that allows a destination; undefined if none does. Entries are `api.example.com`, `*.example.com` (everything
 * below it, not itself), each at the ports 80 and 443, or `localhost:8080`, `[::1]:8080` at that port.
 */
export function allowanceOf({ host, port }: Destination, listed: readonly string[]): Allowance | undefined {
  const name = host.toLowerCase().replace(/\.$/, "");
  const rules = listed.flatMap((entry) => ruleOf(entry) ?? []).filter(({ ports }) => ports.includes(port));
  // This machine and addresses are only allowed literally.
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

/** Whether a list allows a host in the form of `listedDestination`. */
export function isListedHost(host: string, listed: "all" | readonly string[] = []): boolean {
  if (listed === "all") return true;
  const destination = destinationOf(host, DEFAULT_PORTS[0]);
  return destination !== undefined && allowanceOf(destination, listed) !== undefined;
}

/** A destination in the form that `sandbox.network` lists it. */
export const listedDestination = ({ host, port }: Destination): string => {
  const name = net().isIPv6(host) ? `[${host}]` : host.toLowerCase();
  return DEFAULT_PORTS.includes(port) ? name : `${name}:${port}`;
};

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

const isLiteral = (name: string): boolean =>
  net().isIP(name) !== 0 || name === "localhost" || name.endsWith(".localhost");

/** Networks that are not public: this machine, its neighbours, and networks that map to either. */
const PRIVATE_V4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4";
const PRIVATE_V6 =
  "::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8";

/** Whether an address is public, unlike 127.0.0.1, 10.0.0.1 or a cloud's metadata address. */
export class PublicAddresses {
  // In one list of both, an IPv4 address would match the IPv6 network of mapped addresses.
  readonly #privateV4 = listOf(PRIVATE_V4, "ipv4");
  readonly #privateV6 = listOf(PRIVATE_V6, "ipv6");

  readonly #machineAddresses: () => readonly string[];

  /** `machineAddresses` returns the addresses of this machine, some of which may be public. */
  constructor(machineAddresses: () => readonly string[] = addressesOfMachine) {
    this.#machineAddresses = machineAddresses;
  }

  has(address: string): boolean {
    if (this.#machineAddresses().includes(address)) return false;
    if (net().isIPv4(address)) return !this.#privateV4.check(address, "ipv4");
    return net().isIPv6(address) && !this.#privateV6.check(address, "ipv6");
  }
}

const addressesOfMachine = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address));

function listOf(networks: string, family: "ipv4" | "ipv6"): BlockList {
  const list = new (net().BlockList)();
  for (const network of networks.split(" ")) {
    const [address = "", bits = ""] = network.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
