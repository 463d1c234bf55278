import type { Api } from "./access.ts";
import type { Vendor } from "./vendors.ts";

/** A user's address, parsed as the base of a vendor's interfaces. */
export interface BaseAddress {
  readonly url: URL;
  /** The OpenAI interface, if its whole path was given. */
  readonly api: Api | undefined;
  /** The Azure API version in the address. */
  readonly apiVersion: string | undefined;
}

/**
 * Parses a base address. Accepts a missing scheme, trailing slashes, and the path of an interface, which is appended again later. Keeps the
 * query. Undefined if it is not an http or https address.
 */
export function baseAddress(written: string, vendor: Vendor): BaseAddress | undefined {
  const url = URL.parse(withScheme(unquoted(written.trim())));
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const path = url.pathname.replace(/\/+$/, "");
  const [, api] = CHAT_PATH.exec(path) ?? [];
  url.pathname = basePath(path, vendor);
  url.hash = "";
  return { url, api: apiOf(api), apiVersion: url.searchParams.get("api-version") ?? undefined };
}

/** Removes quotes, which some .env files keep around a value. */
const unquoted = (written: string): string => written.replace(/^(["'])(.*)\1$/, "$2").trim();

/** A host with a port or with a dot, as people copy it without a scheme; `:11434` is a port of this machine. */
const BARE_HOST = /^(?:localhost|\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))?(?::\d{1,5})?(?=[/?#]|$)/i;

/** A host of this machine or its network, which rarely has https. */
const NEAR_HOST = /^(?:localhost|\[|\d+(?:\.\d+){3}|[\w-]+(?=:\d)|:|[\w.-]+\.(?:local|lan|internal|home))/i;

function withScheme(written: string): string {
  if (/^[a-z][\w+.-]*:\/\//i.test(written) || /^\/\//.test(written)) return written;
  const [host = ""] = BARE_HOST.exec(written) ?? [];
  if (host === "") return written;
  const address = host.startsWith(":") ? `localhost${written}` : written;
  return `${NEAR_HOST.test(host) ? "http" : "https"}://${address}`;
}

/** The paths of OpenAI's interfaces. */
const CHAT_PATH = /\/(chat\/completions|responses|completions)$/;

/** Other paths below the same base that people copy. */
const OTHER_PATH = /\/(?:models|embeddings)$/;

function apiOf(path: string | undefined): Api | undefined {
  if (path === undefined) return undefined;
  return path === "responses" ? "responses" : "chat";
}

/** The path below which the interfaces are. */
function basePath(path: string, { name, protocol }: Vendor): string {
  switch (protocol) {
    case "anthropic":
      return path.replace(/\/messages$/, "").replace(/\/v1$/, "");
    case "azure":
      // People copy the endpoint with and without this suffix, or the whole address of a deployment.
      return path.replace(/\/openai(?:\/v1)?(?:\/deployments\/[^/]+)?(?:\/chat\/completions|\/responses)?$/, "");
    case "openai": {
      const base = path.replace(CHAT_PATH, "").replace(OTHER_PATH, "");
      if (name === "gemini") return base.replace(/(\/v1beta)(?:\/models.*)?$/, "$1/openai");
      return name === "ollama" ? base.replace(/^(?:\/api(?:\/(?:chat|generate))?)?$/, "/v1") : base;
    }
  }
}
