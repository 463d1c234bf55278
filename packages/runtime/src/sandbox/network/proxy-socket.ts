/** The variable that names the socket of the proxy for a process in a sandbox. */
export const PROXY_SOCKET = "MDX_AI_PROXY_SOCKET";

/** The port of the bridge: a sandbox has a loopback of its own, on which no other port is in use. */
export const BRIDGE_PORT = 3128;

/** The argument before a command that is run beside a bridge. */
export const BRIDGE = "--bridge";

/** The variables that make programs in a sandbox use the bridge, also for a host of this machine that is listed. */
export function bridgeEnvironment(socket: string, hosts: readonly string[]): Record<string, string> {
  const url = `http://127.0.0.1:${BRIDGE_PORT}`;
  const own = ["localhost", "127.0.0.1", "[::1]"].filter((name) => !hosts.some((host) => host.startsWith(name)));
  const variables = { HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: own.join(",") };
  const lower = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]));
  return { ...variables, ...lower, [PROXY_SOCKET]: socket };
}
