import { ConfigurationError, MissingKeyError, ModelError } from "../errors.ts";
import type { Access, Api } from "./access.ts";
import { type BaseAddress, baseAddress } from "./base-address.ts";

/** How requests and answers are written: in Anthropic's way, or in one of OpenAI's. */
type Protocol = "anthropic" | Api;

/** How one model of a vendor is asked. */
export interface Connection {
  readonly vendor: string;
  /** As the vendor names it. */
  readonly model: string;
  readonly protocol: Protocol;
  /** Whether it is a model of somebody else's at another address than OpenAI's, whose protocol its server speaks. */
  readonly isThirdParty: boolean;
  /** Azure's version of its interface; absent for other vendors. */
  readonly apiVersion: string | undefined;
  /** Where requests go. */
  readonly url: string;
  /** Of each request, including the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if the server asks for none. */
  readonly key: string;
  /** The variable or the field that holds the key, for messages. */
  readonly keyName: string;
  /** The variable or the field that holds the address, for messages. */
  readonly urlName: string;
  /** Of `url`, with its port: safe to show. */
  readonly host: string;
  /** Milliseconds without a byte after which an answer counts as broken. */
  readonly silence: number;
  /** The same for an answer that does not stream, whose first byte arrives only when all of it is ready. */
  readonly silenceOfDocument: number;
}

/**
 * Seconds of silence after which an answer counts as broken, by default. One that does not stream sends nothing
 * before all of it is ready.
 */
export const DEFAULT_TIMEOUT = { streaming: 120, document: 600 } as const;

/**
 * Makes the connection to a model. `timeout` is in seconds.
 * Throws `MissingKeyError` if the key is absent or cannot be one, `ModelError` if the address is invalid, and
 * `ConfigurationError` if it sets an interface for a vendor that has one alone.
 */
export function connect(access: Access, model: string, timeout?: number): Connection {
  const { vendor } = access;
  const { url: address, ...written } = addressOf(access);
  const key = keyOf(access);
  const protocol = protocolOf(access, model, written.api);
  const apiVersion = apiVersionOf(access, written.apiVersion);
  return {
    vendor: vendor.name,
    model,
    protocol,
    isThirdParty: vendor.name === "openai" && address.host !== URL.parse(vendor.url)?.host && !OWN_MODEL.test(model),
    apiVersion,
    ...endpoint(access, { model, address: address.href, key, protocol, apiVersion }),
    key,
    keyName: access.key?.name ?? vendor.keyVariables[0] ?? "api_key",
    urlName: access.address?.name ?? vendor.urlVariable,
    host: address.host,
    silence: 1000 * (timeout ?? DEFAULT_TIMEOUT.streaming),
    silenceOfDocument: 1000 * (timeout ?? DEFAULT_TIMEOUT.document),
  };
}

function addressOf({ vendor, address }: Access): BaseAddress {
  if (address === undefined && vendor.url === "")
    throw new ModelError(`${vendor.name} needs an address: set ${vendor.urlVariable} to yours`);
  const base = baseAddress(address?.value ?? vendor.url, vendor);
  if (base !== undefined) return base;
  throw new ModelError(`${address?.name} is not an http or https URL, such as http://localhost:8000/v1`);
}

function keyOf({ vendor, key, address }: Access): string {
  const [variable] = vendor.keyVariables;
  if (key === undefined) {
    if (variable === undefined) return "";
    const isElsewhere = address !== undefined && vendor.url !== "";
    const problem = isElsewhere ? "is not set (any word will do for a server that asks for none)" : undefined;
    throw new MissingKeyError(variable, problem);
  }
  // Such a key would fail as a header, in an error that quotes it.
  if (/^[\x21-\x7e]*$/.test(key.value)) return key.value;
  throw new MissingKeyError(key.name, "contains spaces, line breaks or characters that no key has");
}

/** A version that was copied with the address of a deployment counts unless the user sets one. */
function apiVersionOf({ apiVersion }: Access, written: string | undefined): string | undefined {
  return apiVersion?.origin === "default" ? (written ?? apiVersion.value) : apiVersion?.value;
}

/**
 * At whichever address OpenAI's protocol is spoken, `openai` can be its vendor. `written` is the interface whose whole path the user
 * wrote as the address.
 */
function protocolOf({ vendor, api }: Access, model: string, written: Api | undefined): Protocol {
  if (api !== undefined && vendor.name !== "openai")
    throw new ConfigurationError(
      api.origin,
      `unexpected api for ${vendor.name}; only the vendor openai has a choice of APIs`,
    );
  if (vendor.protocol === "anthropic") return "anthropic";
  return api?.value ?? (vendor.name === "openai" ? written : undefined) ?? usualApi(vendor.name, model);
}

/** Models of OpenAI's own, fine-tuned ones too. The weights of gpt-oss are open, and others serve them. */
const OWN_MODEL = /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|o\d|codex-|computer-use-)/;

/** Models of OpenAI that have chat completions alone. */
const CHAT_MODEL = /audio|search-(?:preview|api)/;

/**
 * The interface at which a model is asked unless the user sets one. OpenAI's models think with tools, and get their thinking
 * back, over responses alone; servers of other models may not have that, wherever they are.
 */
const usualApi = (vendor: string, model: string): Api =>
  vendor === "openai" && OWN_MODEL.test(model) && !CHAT_MODEL.test(model) ? "responses" : "chat";

interface Server {
  readonly model: string;
  readonly address: string;
  readonly key: string;
  readonly protocol: Protocol;
  readonly apiVersion: string | undefined;
}

function endpoint({ vendor }: Access, server: Server): Pick<Connection, "url" | "headers"> {
  const { model, address, key, protocol, apiVersion } = server;
  const bearer = key === "" ? {} : { authorization: `Bearer ${key}` };
  switch (vendor.protocol) {
    case "anthropic":
      return { url: below(address, "/v1/messages"), headers: { "anthropic-version": "2026-10-21", ...bearer } };
    case "openai":
      return { url: below(address, protocol === "responses" ? "/responses" : "/chat/completions"), headers: bearer };
    case "azure": {
      const path = `/openai/deployments/${encodeURIComponent(model)}/chat/completions`;
      const version = { "api-version": apiVersion ?? "" };
      return { url: below(address, path, version), headers: { "api-key": key } };
    }
  }
}

/** The address of a path below another, whose query stays: some gateways want one. */
function below(address: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  url.hash = "";
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
