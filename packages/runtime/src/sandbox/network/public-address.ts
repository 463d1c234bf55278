import { BlockList, isIPv4, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";

/** Networks that are not public: of this machine, of its neighbours, and those that map to either. */
const PRIVATE_V4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4";
const PRIVATE_V6 =
  "::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8";

/** Distinguishes public addresses from all others, such as 127.0.0.1, 10.0.0.1 or that of a cloud's metadata. */
export class PublicAddresses {
  // In one list of both, an IPv4 address would match the IPv6 network of mapped addresses.
  readonly #privateV4 = listOf(PRIVATE_V4, "ipv4");
  readonly #privateV6 = listOf(PRIVATE_V6, "ipv6");

  readonly #ownAddresses: () => readonly string[];

  /** `ownAddresses` returns those of this machine, of which some may be public. */
  constructor(ownAddresses: () => readonly string[] = addressesOfMachine) {
    this.#ownAddresses = ownAddresses;
  }

  has(address: string): boolean {
    if (this.#ownAddresses().includes(address)) return false;
    if (isIPv4(address)) return !this.#privateV4.check(address, "ipv4");
    return isIPv6(address) && !this.#privateV6.check(address, "ipv6");
  }
}

const addressesOfMachine = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address));

function listOf(networks: string, family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const network of networks.split(" ")) {
    const [address = "", bits = ""] = network.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
