/** The variable that names the socket of the proxy that a process in a sandbox is to reach. */
export const PROXY_SOCKET = "MDX_AI_PROXY_SOCKET";

/** Where the bridge listens: a sandbox has a loopback of its own, on which everything else is free. */
export const BRIDGE_PORT = 3128;

/** The word before a command that is run beside a bridge. */
export const BRIDGE = "--bridge";

/** What programs in a sandbox need to know to go through the bridge; a host of their own that is listed is not gone around. */
export function bridgeEnvironment(socket: string, hosts: readonly string[]): Record<string, string> {
  const url = `http://127.0.0.1:${BRIDGE_PORT}`;
  const own = ["localhost", "127.0.0.1", "[::1]"].filter((name) => !hosts.some((host) => host.startsWith(name)));
  const variables = { HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: own.join(",") };
  const lower = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]));
  return { ...variables, ...lower, [PROXY_SOCKET]: socket };
}
