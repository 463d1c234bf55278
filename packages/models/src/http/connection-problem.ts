import { oneLine, recordOf } from "@mdx-ai/base";
import type { HttpProxy } from "./proxy.ts";
import { wordsOf } from "./stated-problem.ts";

const certificate = /cert|signature/i;

/** Why a connection could not be made or broke off. */
export interface ConnectionProblem {
  /** Includes the host, the proxy and what to check. */
  readonly text: string;
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;
}

/** Reads a failure of `fetch`. `host` names the server: a host with its port, or an origin. */
export function connectionProblem(thrown: unknown, host: string, proxy: HttpProxy | undefined): ConnectionProblem {
  const reason = reasonOf(thrown);
  const isUnreachable =
    /refused|unable to connect|notfound|resolve|failedtoopen|cert|signature|tls|eproto|unreach|proxy/i.test(reason);
  const problem = isUnreachable ? `could not reach ${host}` : `lost the connection to ${host}`;
  const way = proxy === undefined ? "" : wayOf(proxy);
  const usual = usualAdvice.find(([pattern]) => pattern.test(reason))?.[1] ?? "";
  // A proxy that inspects traffic presents its own certificate.
  const advice = proxy === undefined || certificate.test(reason) ? usual : proxyAdvice(host, proxy);
  return {
    text: `${problem}${way}: ${reason}${advice}`,
    isTransient: !/cert|tls|signature|unsupportedproxy/i.test(reason),
  };
}

/** The proxy as the rest of a sentence. */
export const wayOf = ({ host, variable }: HttpProxy): string => ` through the proxy ${host} of ${variable}`;

/** What to check if there is a proxy. */
export function proxyAdvice(host: string, { ignored }: HttpProxy): string {
  const name = host.replace(/^https?:\/\//, "").replace(/:\d+$/, "");
  if (ignored.length === 0) return `. Is the proxy right? NO_PROXY=${name} bypasses it.`;
  return `. NO_PROXY has ${ignored.join(", ")}, a pattern that has no effect: write ${name}, or a network such as 127.0.0.0/8.`;
}

/** What to check first, by the system's error. */
const usualAdvice: readonly (readonly [RegExp, string])[] = [
  [/refused/i, ". Is the server running, or a proxy in front of it?"],
  [/notfound|eai_again/i, ". Is the address right, and the network up?"],
  [/eproto|wrong_version/i, ". Does the server speak https?"],
  [certificate, ". Name your own certificates in NODE_EXTRA_CA_CERTS."],
];

/** The system's error code, such as ECONNREFUSED, else its text. */
function reasonOf(thrown: unknown): string {
  const { code, message } = recordOf(thrown);
  return typeof code === "string" && code !== ""
    ? code
    : oneLine(message === undefined ? String(thrown) : wordsOf({ message }));
}
