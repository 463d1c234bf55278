import { isRecord, jsonValue, onlyClosest } from "@mdx-ai/base";
import { ConfigurationError } from "../errors.ts";
import { type Configuration, type ConfigurationValues, fields, isFieldName } from "./configuration.ts";

/** A field as a source has it. */
export interface WrittenField {
  readonly name: string;
  readonly value: unknown;
  /** Where its name is, and where its value is, for messages. */
  readonly position: string;
  readonly valuePosition: string;
}

/** A longer text is not a configuration, and could take long to parse. */
export const mostCharacters = 65_536;

/** Fields whose values are secrets or may hold some. */
const secret: readonly string[] = ["api_key", "base_url"];

/** Checks what a source says against the schema. Throws `ConfigurationError`. */
export function readFields(written: Iterable<WrittenField>): Configuration {
  const values: { -readonly [Name in keyof ConfigurationValues]?: ConfigurationValues[Name] } = {};
  const put = <Name extends keyof ConfigurationValues>(name: Name, one: WrittenField): void => {
    const value = fields[name].read(one.value);
    if (value === undefined) throw wrongValue(name, one);
    values[name] = value;
  };
  for (const one of written) {
    if (!isFieldName(one.name)) throw unknownField(one);
    put(one.name, one);
  }
  return values;
}

/** Reads a configuration that is written as JSON in a variable. Throws `ConfigurationError`, which quotes nothing of a broken text. */
export function readInlineConfiguration(text: string, position: string): Configuration {
  if (text.length > mostCharacters)
    throw new ConfigurationError(position, `is longer than ${mostCharacters} characters`);
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
  return readFields(
    Object.entries(value).map(([name, inner]) => ({ name, value: inner, position, valuePosition: position })),
  );
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

function unknownField({ name, position }: WrittenField): ConfigurationError {
  const names = Object.keys(fields);
  const meant = onlyClosest(name.toLowerCase(), names);
  const hint = meant === undefined ? `expected one of ${names.join(", ")}` : `did you mean ${meant}?`;
  return new ConfigurationError(position, `unexpected field ${JSON.stringify(shortened(name))}; ${hint}`);
}

function wrongValue(name: keyof ConfigurationValues, { value, valuePosition }: WrittenField): ConfigurationError {
  const shown = secret.includes(name) && typeof value !== "object" ? "value" : excerpt(value);
  const problem = `unexpected ${shown} as ${name}, expected ${fields[name].expected}`;
  return new ConfigurationError(valuePosition, problem + (name === "vendor" ? vendorHint(value) : ""));
}

/** What to write instead of an unknown vendor; empty if that is not clear. */
export function vendorHint(value: unknown): string {
  if (typeof value !== "string") return "";
  const word = value.trim().toLowerCase();
  if (word === "langchain")
    return "; use a provider of the AI SDK instead: model ai-sdk:PACKAGE#NAME, without a vendor";
  const meant = onlyClosest(word, fields.vendor.expected.replace("one of ", "").split(", "));
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

function excerpt(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "list";
  return typeof value === "object" ? "map" : JSON.stringify(shortened(String(value)));
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
