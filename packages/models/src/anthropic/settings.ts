import { MissingKeyError } from "../errors/missing-key-error.ts";
import { ModelError } from "../errors/model-error.ts";
import type { Environment } from "../types/environment.ts";

/** How Anthropic is reached. */
export interface AnthropicSettings {
  readonly key: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Of `baseUrl`, with its port: safe to show. */
  readonly host: string;
}

const keyVariable = "ANTHROPIC_API_KEY";
const urlVariable = "ANTHROPIC_BASE_URL";
const publicUrl = "https://api.anthropic.com";

/**
 * Reads `ANTHROPIC_API_KEY` and `ANTHROPIC_BASE_URL` (default Anthropic's own). White space around a value does not
 * count. Throws `MissingKeyError` where the key is absent, empty or cannot be one, `ModelError` where the URL is none.
 */
export function readSettings(environment: Environment): AnthropicSettings {
  const key = environment[keyVariable]?.trim() ?? "";
  if (key === "") throw new MissingKeyError(keyVariable);
  // Such a key would fail as a header, in an error that quotes it.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new MissingKeyError(keyVariable, "holds spaces, line breaks or letters that no key has");
  }
  const baseUrl = (environment[urlVariable]?.trim() || publicUrl).replace(/\/+$/, "");
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ModelError(`${urlVariable} is not an http or https URL`);
  return { key, baseUrl, host: url.host };
}
