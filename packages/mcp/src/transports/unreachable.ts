import type { Environment } from "@mdx-ai/base";
import { connectionProblem } from "@mdx-ai/models/connection-problem";
import { proxyFor } from "@mdx-ai/models/proxy";
import type { Fetch } from "./bounded-fetch.ts";

/** No server answered at an address. The message names the address, the proxy and what to check. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** Error codes of a connection that could not be made or broke off before the answer. */
const CODES =
  /^(?:ConnectionRefused|FailedToOpenSocket|ConnectionClosed|E[A-Z]+|EAI_AGAIN)$|CERT|SIGNATURE|^UNABLE_TO|^CRL_|^UnsupportedProxy/;

/** As `fetch`, with errors that say what to check if no connection is made. */
export const explainedFetch =
  (fetch: Fetch, environment: Environment): Fetch =>
  async (url, init) => {
    try {
      return await fetch(url, init);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!CODES.test(code)) throw error;
      const { origin } = new URL(url);
      const { text } = connectionProblem(error, origin, proxyFor(origin, environment));
      throw new UnreachableError(text, { cause: error });
    }
  };
