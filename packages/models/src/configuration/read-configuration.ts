import { isRecord, jsonValue } from "@mdx-ai/base";
import { type Located, problemText, type TextRange, unlocated, validate } from "@mdx-ai/base/schema";
import { ConfigurationError } from "../errors.ts";
import { type Configuration, configurationSchema } from "./configuration.ts";

/** A longer text is not a configuration and could take long to parse. */
export const MAX_CHARACTERS = 65_536;

/** Validates a source's values. `positionOf` locates a range for messages. Throws `ConfigurationError`. */
export function readConfiguration(located: Located, positionOf: (range: TextRange) => string): Configuration {
  const { value, problems } = validate(configurationSchema(), located, { noun: "field" });
  const [problem] = problems;
  if (problem !== undefined) throw new ConfigurationError(positionOf(problem.range), problemText(problem));
  return value ?? {};
}

/** Reads a configuration from JSON in a variable. Throws `ConfigurationError`, which never quotes invalid text. */
export function readInlineConfiguration(text: string, position: string): Configuration {
  if (text.length > MAX_CHARACTERS)
    throw new ConfigurationError(position, `is longer than ${MAX_CHARACTERS} characters`);
  const json = text.replace(/^\ufeff/, "");
  const value = jsonValue(json);
  if (!isRecord(value)) {
    throw new ConfigurationError(
      position,
      'expected a JSON object such as {"vendor": "anthropic", "model": "claude-sonnet-5-5"}',
    );
  }
  const twice = repeatedName(json);
  if (twice !== undefined) throw new ConfigurationError(position, `duplicate field ${JSON.stringify(twice)}`);
  return readConfiguration(unlocated(value), () => position);
}

/** The first duplicate name in the outermost object of valid JSON, which a parser would silently drop. */
function repeatedName(json: string): string | undefined {
  const names = new Set<string>();
  let depth = 0;
  for (const [token, text, isName] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth !== 1 || text === undefined || isName === undefined) continue;
    const name = String(jsonValue(text));
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}
