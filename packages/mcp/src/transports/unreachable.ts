import type { Environment } from "@mdx-ai/base";
import { connectionProblem } from "@mdx-ai/models/connection-problem";
import { proxyFor } from "@mdx-ai/models/proxy";
import type { Fetch } from "./bounded-fetch.ts";

/** Nobody answered at an address. The message says which, through which proxy, and what to look at. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** The codes of a connection that is not made, or broke off before the answer. */
const CODES =
  /^(?:ConnectionRefused|FailedToOpenSocket|ConnectionClosed|E[A-Z]+|EAI_AGAIN)$|CERT|SIGNATURE|^UNABLE_TO|^CRL_|^UnsupportedProxy/;

/** As a `fetch`, with errors that say what to look at if no connection is made. */
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
