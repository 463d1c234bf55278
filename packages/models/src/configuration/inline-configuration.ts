import { ConfigurationError } from "../errors/opening-errors.ts";
import { isRecord, jsonValue } from "../json.ts";
import type { Configuration } from "./configuration.ts";
import { mostCharacters, readFields } from "./read-fields.ts";

/** Reads a configuration that is written as JSON in a variable. Throws `ConfigurationError`, which quotes nothing of a broken text. */
export function readInlineConfiguration(text: string, place: string): Configuration {
  if (text.length > mostCharacters) throw new ConfigurationError(place, `longer than ${mostCharacters} characters`);
  const json = text.replace(/^\ufeff/, "");
  const value = jsonValue(json);
  if (!isRecord(value)) {
    throw new ConfigurationError(
      place,
      'expected a JSON object such as {"vendor": "anthropic", "model": "claude-sonnet-5-5"}',
    );
  }
  const twice = repeatedName(json);
  if (twice !== undefined) throw new ConfigurationError(place, `unexpected second field ${JSON.stringify(twice)}`);
  return readFields(Object.entries(value).map(([name, inner]) => ({ name, value: inner, place, valuePlace: place })));
}

/** The first name that the outermost object of a valid JSON text holds twice; a parser would keep the last in silence. */
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
