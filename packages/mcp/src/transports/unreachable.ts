import type { Environment } from "@mdx-ai/models";
import type { Fetch } from "./bounded-fetch.ts";

/** Nobody answered at an address. The message says which, through which proxy, and what to look at. */
class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

const UNCONNECTED =
  /^(?:ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const CLOSED = /^(?:ConnectionClosed|ECONNRESET|EPIPE)$/;
const CERTIFICATE = /CERT|SIGNATURE|^UNABLE_TO|^CRL_/;

/** As a `fetch`, with errors that say what to look at if no connection is made. */
export const explainedFetch =
  (fetch: Fetch, environment: Environment): Fetch =>
  async (url, init) => {
    try {
      return await fetch(url, init);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      const reason = reasonOf(code, new URL(url), environment);
      throw reason === undefined ? error : new UnreachableError(reason, { cause: error });
    }
  };

function reasonOf(code: string, url: URL, environment: Environment): string | undefined {
  const proxy = proxyText(url, environment);
  if (UNCONNECTED.test(code)) return `cannot connect to ${url.origin} (${code})${proxy}`;
  if (CLOSED.test(code)) return `the connection to ${url.origin} was closed (${code})${proxy}`;
  if (code === "EPROTO") return `cannot connect to ${url.origin} (${code})${proxy}; does the server speak https?`;
  if (!CERTIFICATE.test(code)) return undefined;
  return `the certificate of ${url.origin} is not accepted (${code})${proxy}; name the file of your own certificates in NODE_EXTRA_CA_CERTS`;
}

/** Which proxy requests to an address go through, as the rest of a sentence; empty if there is none. */
function proxyText(url: URL, environment: Environment): string {
  const names = url.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const name = names.find((each) => (environment[each] ?? "") !== "");
  if (name === undefined || isExempt(url, environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")) return "";
  const proxy = environment[name] ?? "";
  // The address may hold a password.
  return ` through the proxy ${URL.canParse(proxy) ? new URL(proxy).origin : "that is no address"} of ${name}`;
}

/** Whether a list of hosts, which takes no patterns, exempts an address from the proxy. */
function isExempt({ hostname, host }: URL, list: string): boolean {
  const entries = list.split(",").map((entry) => entry.trim().replace(/^\./, ""));
  return entries.some(
    (entry) =>
      entry === "*" || (entry !== "" && [hostname, host].some((one) => one === entry || one.endsWith(`.${entry}`))),
  );
}
