import { ConfigurationError, MissingKeyError, ModelError } from "../errors.ts";
import type { Access, Api } from "./access.ts";
import { type BaseAddress, baseAddress } from "./base-address.ts";

/** The wire format: Anthropic's, or one of OpenAI's. */
type Protocol = "anthropic" | Api;

/** How to send requests to one model of a vendor. */
export interface Connection {
  readonly vendor: string;
  /** The vendor's name for it. */
  readonly model: string;
  readonly protocol: Protocol;
  /** Whether it is another maker's model behind OpenAI's protocol at an address that is not OpenAI's. */
  readonly isThirdParty: boolean;
  /** Azure's API version; absent for other vendors. */
  readonly apiVersion: string | undefined;
  /** The address of requests. */
  readonly url: string;
  /** The headers of each request, including the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if the server needs none. */
  readonly key: string;
  /** The variable or field with the key, for messages. */
  readonly keyName: string;
  /** The variable or field with the address, for messages. */
  readonly urlName: string;
  /** The host of `url` with its port; safe to show. */
  readonly host: string;
  /** Milliseconds without a byte after which an answer counts as broken. */
  readonly silence: number;
  /** As `silence`, for a non-streamed answer, whose first byte arrives when all of it is ready. */
  readonly silenceOfDocument: number;
}

/** The default seconds of silence after which an answer counts as broken. A non-streamed answer sends nothing until it is complete. */
export const DEFAULT_TIMEOUT = { streaming: 120, document: 600 } as const;

/**
 * Builds the connection to a model. `timeout` is in seconds. Throws `MissingKeyError` if the key is absent or malformed, `ModelError` if
 * the address is invalid, and `ConfigurationError` if an interface is set for a vendor that has only one.
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
    const problem = isElsewhere ? "is not set (any value works for a server that needs none)" : undefined;
    throw new MissingKeyError(variable, problem);
  }
  // Such a key would fail as a header, with an error that quotes it.
  if (/^[\x21-\x7e]*$/.test(key.value)) return key.value;
  throw new MissingKeyError(key.name, "contains spaces, line breaks or characters that keys cannot contain");
}

/** A version in the address of a deployment counts unless the user sets one. */
function apiVersionOf({ apiVersion }: Access, written: string | undefined): string | undefined {
  return apiVersion?.origin === "default" ? (written ?? apiVersion.value) : apiVersion?.value;
}

/** `openai` may be the vendor at any address with OpenAI's protocol. `written`: the interface whose whole path is in the address. */
export function protocolOf({ vendor, api }: Access, model: string, written?: Api): Protocol {
  if (api !== undefined && vendor.name !== "openai")
    throw new ConfigurationError(
      api.origin,
      `unexpected api for ${vendor.name}; only the vendor openai has a choice of APIs`,
    );
  if (vendor.protocol === "anthropic") return "anthropic";
  return api?.value ?? (vendor.name === "openai" ? written : undefined) ?? usualApi(vendor.name, model);
}

/** OpenAI's models, including fine-tuned ones. gpt-oss is open and served by others. */
const OWN_MODEL = /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|o\d|codex-|computer-use-)/;

/** OpenAI models that only have chat completions. */
const CHAT_MODEL = /audio|search-(?:preview|api)/;

/**
 * The default interface of a model. OpenAI's models think with tools and get their thinking back only over responses; servers of other
 * models may lack it.
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

/** Appends a path to an address and keeps its query, which some gateways require. */
function below(address: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  url.hash = "";
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
