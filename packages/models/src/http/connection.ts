import { MissingKeyError } from "../errors/missing-key-error.ts";
import { ModelError } from "../errors/model-error.ts";
import type { Environment } from "../types/environment.ts";
import type { Vendor } from "../vendors/vendor.ts";
import { defaultTimeout } from "./default-timeout.ts";

/** How a vendor's server is reached. */
export interface Connection {
  /** For messages. */
  readonly vendor: string;
  /** Empty where the server asks for none. */
  readonly key: string;
  /** Where the key comes from, for messages: a variable, or `api_key`. */
  readonly keyName: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Where the address comes from, for messages: a variable, or `base_url`. */
  readonly urlName: string;
  /** Of `baseUrl`, with its port: safe to show. */
  readonly host: string;
  /** Milliseconds without a byte after which an answer counts as broken. */
  readonly silence: number;
  /** The same for an answer that does not stream, of which nothing comes before all of it is there. */
  readonly silenceOfDocument: number;
}

/** What a configuration says of a connection; it stands above the environment. */
export interface ConnectionSettings {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** Seconds of silence after which an answer counts as broken; default 120, or 600 where answers do not stream. */
  readonly timeout?: number;
}

/**
 * Reads how a vendor is reached. White space around a value does not count.
 * Throws `MissingKeyError` where a key is absent, empty or cannot be one, `ModelError` where the address is none.
 */
export function readConnection(vendor: Vendor, settings: ConnectionSettings, environment: Environment): Connection {
  const { name: urlName, value: url } = found("base_url", settings.baseUrl, [vendor.urlVariable], environment);
  const baseUrl = (url || vendor.url).replace(/\/+$/, "");
  if (baseUrl === "") throw new ModelError(`${vendor.name} needs an address: set ${vendor.urlVariable} to yours`);
  const parsed = URL.parse(baseUrl);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new ModelError(`${urlName} is not an http or https URL, such as http://localhost:8000/v1`);
  }
  const { name: keyName, value: key } = found("api_key", settings.apiKey, vendor.keyVariables, environment);
  checkKey(key, keyName, { vendor, isElsewhere: url !== "" && vendor.url !== "" });
  return {
    vendor: vendor.name,
    key,
    keyName,
    baseUrl,
    urlName,
    host: parsed.host,
    silence: 1000 * (settings.timeout ?? defaultTimeout(true)),
    silenceOfDocument: 1000 * (settings.timeout ?? defaultTimeout(false)),
  };
}

interface Found {
  readonly name: string;
  /** Empty where nothing is set. */
  readonly value: string;
}

function found(
  field: string,
  setting: string | undefined,
  variables: readonly string[],
  environment: Environment,
): Found {
  if (setting?.trim()) return { name: field, value: setting.trim() };
  const name = variables.find((variable) => environment[variable]?.trim()) ?? variables[0] ?? field;
  return { name, value: environment[name]?.trim() ?? "" };
}

/** `isElsewhere`: whether the server is another than the vendor's own. */
function checkKey(
  key: string,
  name: string,
  { vendor, isElsewhere }: { readonly vendor: Vendor; readonly isElsewhere: boolean },
): void {
  if (key === "" && vendor.keyVariables.length > 0) {
    const problem = isElsewhere ? "is not set (any word will do for a server that asks for none)" : undefined;
    throw new MissingKeyError(name, problem);
  }
  // Such a key would fail as a header, in an error that quotes it.
  if (!/^[\x21-\x7e]*$/.test(key)) {
    throw new MissingKeyError(name, "holds spaces, line breaks or letters that no key has");
  }
}
