import type { UnknownRecord } from "../json/json.ts";
import type { Located } from "./located.ts";

/** A mistake in YAML, at an offset of its text. */
export interface YamlProblem {
  readonly offset: number;
  readonly message: string;
  /** The kind of mistake, in words that quote no part of the text. */
  readonly code: string;
}

/** A YAML map with the ranges of its parts. Its value is empty if the YAML is broken or not a map. */
export interface YamlMap extends Located<UnknownRecord> {
  readonly problems: readonly YamlProblem[];
  /** Ambiguous parts, such as an unknown tag. */
  readonly warnings: readonly YamlProblem[];
}

/**
 * Parses a YAML map. Never throws; an empty text or a lone comment gives an empty map. The parser is loaded with the first text: an agent
 * from the cache has none.
 */
export function readYamlMap(text: string): YamlMap {
  const { parseYamlMap }: typeof import("./parse-yaml.ts") = require("./parse-yaml.ts");
  return parseYamlMap(text);
}
