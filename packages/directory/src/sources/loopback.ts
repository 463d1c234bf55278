import { isIP } from "node:net";
import { PublicAddresses } from "@mdx-ai/sandbox";

/** Whether the host of an address is this machine, or an address of a private network, which no server elsewhere may lead to. */
export function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0) return !new PublicAddresses().has(address);
  return isLoopbackHost(hostname) || /\.(?:local|localhost|internal)$/i.test(hostname);
}

/** A private host, for messages: "this machine (localhost:80)". */
export const privatePlace = ({ hostname, host }: URL): string =>
  `${isLoopbackHost(hostname) ? "this machine" : "a private network"} (${host})`;

/** Whether a host name of an address, without its port, is this machine itself. */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
