import type { YamlMap } from "./parse-yaml.ts";

export type { YamlMap, YamlProblem } from "./parse-yaml.ts";

/**
 * Parses a YAML map. Never throws; an empty text or a lone comment gives an empty map. The parser is loaded with the first text: an agent
 * from the cache has none.
 */
export function readYamlMap(text: string): YamlMap {
  const { parseYamlMap }: typeof import("./parse-yaml.ts") = require("./parse-yaml.ts");
  return parseYamlMap(text);
}
