/** The port of the bridge. A sandbox has a private loopback, so no other port is in use. */
export const BRIDGE_PORT = 3128;

/** The name with which clients send the password of a proxy. */
export const PROXY_USER = "mdx-ai";

/** Whether a host, in the form that `sandbox.network` lists it, is the bridge. No other program in a sandbox can have its address. */
export const isBridge = (host: string): boolean =>
  [`127.0.0.1:${BRIDGE_PORT}`, `localhost:${BRIDGE_PORT}`, `[::1]:${BRIDGE_PORT}`].includes(host);

/**
 * The argument that makes a tool host process a bridge, followed by the path of the proxy's socket and by the listed hosts of
 * this machine, such as `localhost:5432`, which the bridge also offers to programs that use no proxy.
 */
const BRIDGE = "--bridge";

/** The arguments of a bridge to the proxy at this address. */
export const bridgeArguments = (address: string, hosts: readonly string[]): readonly string[] => [
  ...[BRIDGE, address],
  ...hosts.filter((host) => LOCAL.test(host) && !isBridge(host)),
];

/** A listed port of this machine. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\]):\d+$/i;

/** A proxy at another port of the loopback than the bridge, and with a password. */
interface OtherProxy {
  readonly port?: number | undefined;
  readonly password?: string | undefined;
}

/**
 * The variables that make programs in a sandbox use the bridge, or another proxy, also for listed hosts of this machine.
 */
export function bridgeEnvironment(
  hosts: readonly string[],
  { port = BRIDGE_PORT, password }: OtherProxy = {},
): Record<string, string> {
  const url = `http://${password === undefined ? "" : `${PROXY_USER}:${password}@`}127.0.0.1:${port}`;
  const own = ["localhost", "127.0.0.1", "[::1]"].filter((name) => !hosts.some((host) => host.startsWith(name)));
  const variables = { HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: own.join(",") };
  const lower = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]));
  return { ...variables, ...lower };
}

/** How this process was started as a bridge; undefined if it was not. */
export function bridgeTask(argv: readonly string[]): BridgeTask | undefined {
  const index = argv.indexOf(BRIDGE);
  const socket = index === -1 ? undefined : argv[index + 1];
  return socket === undefined ? undefined : { socket, hosts: argv.slice(index + 2) };
}

export interface BridgeTask {
  /** The path of the proxy's socket. Absolute. */
  readonly socket: string;
  /** Hosts of this machine with their ports, in the form that `sandbox.network` lists them. */
  readonly hosts: readonly string[];
}
