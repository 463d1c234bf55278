import type { Report } from "../report.ts";
import type { JsonSchema } from "../types/json.ts";
import type { Path } from "./setting-paths.ts";
import type { YamlMap, YamlRange } from "./yaml-map.ts";

/** A YAML map of settings while it is checked. */
export interface SettingsReading {
  readonly yaml: YamlMap;
  /** The YAML's text. */
  readonly text: string;
  /** Offset of the YAML in its document. */
  readonly base: number;
  /** The schema that the map must match. */
  readonly schema: JsonSchema;
  readonly report: Report;
}

/** The range of a value or a key in the document. */
export function placeOf({ yaml, base }: SettingsReading, path: Path, of: "key" | "value"): YamlRange {
  const { start, end } = yaml.rangeAt(path, of);
  return { start: base + start, end: base + end };
}
