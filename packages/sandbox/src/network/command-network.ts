import type { SandboxRequest } from "../command-sandbox.ts";
import { hasProxy } from "../granted-paths.ts";
import { listedDestination } from "./allowed-hosts.ts";
import { bridgeEnvironment } from "./bridge-environment.ts";
import type { Proxies } from "./proxies.ts";

/** The network of one command. */
export interface CommandNetwork {
  readonly environment: Readonly<Record<string, string>>;
  /**
   * The hosts that were refused so far, in the form that `sandbox.network` lists them. Includes refusals for other commands with
   * the same hosts.
   */
  readonly refused: ReadonlySet<string>;
  /** Why requests got no key so far: lines without a full stop. Includes requests of other commands, likewise. */
  readonly problems: ReadonlySet<string>;
  /** The port of the loopback at which the proxy listens; undefined without a proxy, or if it listens on a socket. */
  readonly port: number | undefined;
  /** Call this when the command has ended. */
  release(): void;
}

/** Variables that keep package managers from retries and update checks without a network. */
const WITHOUT_NETWORK = {
  npm_config_fetch_retries: "0",
  // Without a retry, pip does not report the cause.
  PIP_RETRIES: "1",
  CARGO_NET_RETRY: "0",
  UV_HTTP_RETRIES: "0",
  BUNDLE_RETRY: "0",
  npm_config_update_notifier: "false",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
};

/** The most refused hosts, and problems, that are kept. */
const MAX_REFUSED = 20;

/** Opens the network of a command with these hosts. Rejects with the system's error. */
export async function commandNetwork(
  request: SandboxRequest,
  hosts: "all" | readonly string[],
  proxies: Proxies,
): Promise<CommandNetwork> {
  const refused = new Set<string>();
  const problems = new Set<string>();
  const { keys } = proxies;
  const offline = hosts === "all" || hosts.length > 0 ? {} : WITHOUT_NETWORK;
  if (hosts === "all" ? (keys?.isBehindProxy ?? true) : !hasProxy(request, hosts))
    return { environment: { ...offline, ...keys?.environment }, refused, problems, port: undefined, release: () => {} };
  const proxy = await proxies.to(hosts);
  const release = proxy.watch({
    onRefused: (destination) => void (refused.size < MAX_REFUSED && refused.add(listedDestination(destination))),
    onProblem: (problem) => void (problems.size < MAX_REFUSED && problems.add(problem)),
  });
  const port = typeof proxy.address === "number" ? proxy.address : undefined;
  const ofProxy = bridgeEnvironment(hosts === "all" ? (keys?.hosts ?? []) : hosts, { port, password: proxy.password });
  return { environment: { ...offline, ...ofProxy, ...keys?.environment }, refused, problems, port, release };
}
