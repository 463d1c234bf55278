import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { secondsText, untilAborted } from "@mdx-ai/base";
import { allowanceOf, type Destination, listedDestination, PublicAddresses } from "@mdx-ai/sandbox";
import { errorText } from "../error-text.ts";
import { EntrypointError, type EntrypointOptions } from "./entrypoint.ts";

/** How tools reach the network. */
export type ToolNetwork = Pick<EntrypointOptions, "network" | "toolNetwork" | "resolve">;

/** A signal that fires on a timeout, with an error as its reason. */
export function timeLimit(seconds: number): AbortSignal {
  const limit = new AbortController();
  const stop = (): void => limit.abort(new EntrypointError(`no answer within ${secondsText(seconds)}`));
  setTimeout(stop, seconds * 1000).unref();
  return limit.signal;
}

/** The target of a request. */
export const destinationOf = ({ hostname, port, protocol }: URL): Destination => ({
  host: hostname.replace(/^\[(.*)\]$/, "$1"),
  port: Number(port || (protocol === "https:" ? 443 : 80)),
});

/** A request to an address that is not allowed. */
class RefusedAddressError extends EntrypointError {}

/**
 * The allowed addresses of a host: public ones, and others only as listed in the user's settings. The connection must use one of
 * these: resolved again, the name could lead elsewhere. Rejects with `EntrypointError`, or the signal's reason.
 */
export async function allowedAddresses(
  destination: Destination,
  { network, toolNetwork, resolve = addressesOf }: ToolNetwork,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { host } = destination;
  if (toolNetwork === "none") throw new RefusedAddressError(`${host} is not reached: tools have no network in a test`);
  const found = isIP(host) === 0 ? await untilAborted(() => resolve(host), signal) : [host];
  if (found.length === 0) throw new RefusedAddressError(`${host} has no address`);
  if (network === "all" || isListed(destination, network)) return found;
  const addresses = new PublicAddresses();
  const isAllowed = (address: string): boolean =>
    addresses.has(address) || isListed({ ...destination, host: address }, network);
  const allowed = found.filter(isAllowed);
  if (allowed.length > 0) return allowed;
  throw new RefusedAddressError(refusal(destination, found[0] ?? host));
}

function refusal({ host, port }: Destination, address: string): string {
  const way = host === address ? host : `${host} leads to ${address}, which`;
  const listed = listedDestination({ host: host === "localhost" ? host : address, port });
  return `${way} is an address of this machine or of a private network; only the user can allow it, with ${JSON.stringify(listed)} in \`sandbox.network\` of the user's settings`;
}

/** Whether the user lists an address or this machine literally; a listed name counts for public addresses only. */
const isListed = (destination: Destination, network: readonly string[] = []): boolean =>
  allowanceOf(destination, network) === "literal";

async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (cause) {
    throw new EntrypointError(`the address of ${host} was not found (${errorText(cause)})`, { cause });
  }
}
