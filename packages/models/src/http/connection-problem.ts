import { oneLine, recordOf } from "@mdx-ai/base";
import type { HttpProxy } from "./proxy.ts";
import { wordsOf } from "./stated-problem.ts";

const certificate = /cert|signature/i;

/** Why a connection could not be made or broke off. */
export interface ConnectionProblem {
  /** With the host, the proxy on the way and what to look at. */
  readonly text: string;
  /** Whether the same may succeed a moment later. */
  readonly isTransient: boolean;
}

/** Reads a failure of `fetch`. `host` is how the server is named: a host with its port, or an origin. */
export function connectionProblem(thrown: unknown, host: string, proxy: HttpProxy | undefined): ConnectionProblem {
  const reason = reasonOf(thrown);
  const isUnreachable =
    /refused|unable to connect|notfound|resolve|failedtoopen|cert|signature|tls|eproto|unreach|proxy/i.test(reason);
  const problem = isUnreachable ? `could not reach ${host}` : `lost the connection to ${host}`;
  const way = proxy === undefined ? "" : wayOf(proxy);
  const usual = usualAdvice.find(([pattern]) => pattern.test(reason))?.[1] ?? "";
  // A proxy that reads what it passes on shows a certificate of its own.
  const advice = proxy === undefined || certificate.test(reason) ? usual : proxyAdvice(host, proxy);
  return {
    text: `${problem}${way}: ${reason}${advice}`,
    isTransient: !/cert|tls|signature|unsupportedproxy/i.test(reason),
  };
}

/** The proxy as the rest of a sentence. */
export const wayOf = ({ host, variable }: HttpProxy): string => ` through the proxy ${host} of ${variable}`;

/** What to look at if a proxy is on the way. */
export function proxyAdvice(host: string, { ignored }: HttpProxy): string {
  const name = host.replace(/^https?:\/\//, "").replace(/:\d+$/, "");
  if (ignored.length === 0) return `. Is the proxy right? NO_PROXY=${name} asks without it.`;
  return `. NO_PROXY has ${ignored.join(", ")}, a pattern that does not count: write ${name}, or a network such as 127.0.0.0/8.`;
}

/** What to look at first, by the system's word for what happened. */
const usualAdvice: readonly (readonly [RegExp, string])[] = [
  [/refused/i, ". Is the server running, or a proxy in front of it?"],
  [/notfound|eai_again/i, ". Is the address right, and the network up?"],
  [/eproto|wrong_version/i, ". Does the server speak https?"],
  [certificate, ". Name your own certificates in NODE_EXTRA_CA_CERTS."],
];

/** The code of a system's failure, such as ECONNREFUSED, else its text. */
function reasonOf(thrown: unknown): string {
  const { code, message } = recordOf(thrown);
  return typeof code === "string" && code !== ""
    ? code
    : oneLine(message === undefined ? String(thrown) : wordsOf({ message }));
}
