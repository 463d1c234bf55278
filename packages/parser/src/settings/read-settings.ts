import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { scheduleInterval } from "../interval.ts";
import { quoted, type Report } from "../report.ts";
import { didYouMean } from "../suggestion.ts";
import type { AgentSettings } from "../types/agent-settings.ts";
import type { JsonSchema } from "../types/json.ts";
import { settingsSchema } from "./settings-schema.ts";
import { readYamlMap, type YamlMap } from "./yaml-map.ts";

type Path = readonly string[];

interface SettingsReading {
  readonly yaml: YamlMap;
  /** Offset of the frontmatter's YAML in the document. */
  readonly base: number;
  readonly report: Report;
}

/** Reads the YAML of the frontmatter. What is wrong is reported and left out. Never throws. */
export function readSettings(text: string, base: number, report: Report): AgentSettings {
  const reading = { yaml: readYamlMap(text), base, report };
  for (const problem of reading.yaml.problems) reportYaml(problem, base, report);
  const refused = new Set(invalidPaths(reading));
  for (const key of invalidTimes(reading, refused)) refused.add(key);
  reportUnsupported(reading);
  return settingsOf(reading.yaml.values, (path) => refused.has(path.join("/")));
}

function reportYaml(
  problem: { readonly offset: number; readonly message: string },
  base: number,
  report: Report,
): void {
  report({
    rule: "frontmatter-syntax",
    offset: base + problem.offset,
    message: `unexpected YAML (${problem.message}), expected keys and values`,
    hint: "write `key: value` lines; put a text with special characters in quotes",
  });
}

/** Reports what the schema refuses and returns the paths of it, joined by "/". */
function invalidPaths(reading: SettingsReading): readonly string[] {
  const { errors } = new Validator({ ...settingsSchema }, "2020-12", false).validate(reading.yaml.values);
  const paths = new Set(errors.filter((error) => isLeaf(error)).map((error) => error.instanceLocation));
  return [...paths].map((location) => {
    const path = location.split("/").slice(1).map(unescaped);
    const schema = schemaAt(path);
    if (schema === undefined) reportUnknown(path, reading);
    else reportType(path, schema, reading);
    return path.join("/");
  });
}

function isLeaf(error: OutputUnit): boolean {
  return error.keyword !== "properties" && error.keyword !== "additionalProperties";
}

function unescaped(part: string): string {
  return decodeURIComponentOf(part).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decodeURIComponentOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function schemaAt(path: Path): JsonSchema | undefined {
  let schema: JsonSchema | undefined = settingsSchema;
  for (const key of path) {
    const properties: unknown = schema?.["properties"];
    schema = isSchema(properties) && Object.hasOwn(properties, key) ? schemaOf(properties[key]) : undefined;
  }
  return schema;
}

function schemaOf(value: unknown): JsonSchema | undefined {
  return isSchema(value) ? value : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function reportUnknown(path: Path, { yaml, base, report }: SettingsReading): void {
  const key = path.at(-1) ?? "";
  const known = Object.keys(schemaOf(schemaAt(path.slice(0, -1))?.["properties"]) ?? {});
  report({
    rule: "setting-unknown",
    offset: base + yaml.offsetAt(path, "key"),
    message: `unexpected setting ${quoted(path.join("."))}, expected one of ${known.join(", ")}`,
    hint: didYouMean(key, known, "take it away: it has no effect"),
  });
}

function reportType(path: Path, schema: JsonSchema, { yaml, base, report }: SettingsReading): void {
  const value = valueAt(yaml.values, path);
  const isQuotable = schema["type"] === "string" && (typeof value === "number" || typeof value === "boolean");
  report({
    rule: "setting-type",
    offset: base + yaml.offsetAt(path, "value"),
    message: `unexpected ${shown(value)} as ${quoted(path.join("."))}, expected ${schema["title"]}`,
    hint: isQuotable ? `put the value in quotes: "${value}"` : String(schema["description"]),
  });
}

/** What the schema cannot say: the bounds of an interval, the names of time zones. */
function invalidTimes(reading: SettingsReading, refused: ReadonlySet<string>): readonly string[] {
  const { schedule, timezone } = reading.yaml.values;
  const wrong = [
    ...(typeof schedule === "string" && scheduleInterval(schedule) === undefined ? ["schedule"] : []),
    ...(typeof timezone === "string" && !isTimeZone(timezone) ? ["timezone"] : []),
  ].filter((key) => !refused.has(key));
  for (const key of wrong) {
    const schema = schemaAt([key]);
    if (schema !== undefined) reportType([key], schema, reading);
  }
  return wrong;
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function reportUnsupported(reading: SettingsReading): void {
  const { values } = reading.yaml;
  for (const path of [...Object.keys(values).map((key) => [key]), ...keysWithin(values["limits"], "limits")]) {
    if (schemaAt(path)?.["x-supported"] !== false) continue;
    const asked = askedInVain(path.join("."), valueAt(values, path));
    reading.report({
      rule: "setting-not-supported",
      offset: reading.base + reading.yaml.offsetAt(path, "key"),
      severity: asked === undefined ? "warning" : "error",
      message: `unexpected setting ${quoted(path.join("."))}, expected a setting that this version acts on`,
      hint: asked ?? "it has no effect yet",
    });
  }
}

/** Why a setting must not be passed over: its author relies on it for safety. */
function askedInVain(key: string, value: unknown): string | undefined {
  if (key === "sandbox" && (value === "required" || value === true)) {
    return "this version has no sandbox: take the setting away to run without one";
  }
  if (key === "permissions" && /"deny"/.test(JSON.stringify(value) ?? "")) {
    return "this version would not hold a `deny`: take the setting away to run without it";
  }
  return undefined;
}

function keysWithin(value: unknown, key: string): readonly Path[] {
  return isSchema(value) ? Object.keys(value).map((inner) => [key, inner]) : [];
}

function valueAt(values: unknown, path: Path): unknown {
  let value = values;
  for (const key of path) value = isSchema(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

function settingsOf(values: Readonly<Record<string, unknown>>, refused: (path: Path) => boolean): AgentSettings {
  const text = (key: string): string | undefined => {
    const value = values[key];
    return typeof value === "string" && !refused([key]) ? value : undefined;
  };
  const number = (path: Path): number | undefined => {
    const value = valueAt(values, path);
    return typeof value === "number" && !refused(path) ? value : undefined;
  };
  const name = text("name")?.trim();
  const description = text("description");
  const model = text("model");
  const temperature = number(["temperature"]);
  const maxTokens = number(["max_tokens"]);
  const turns = number(["limits", "turns"]);
  const schedule = text("schedule");
  const timezone = text("timezone");
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(model === undefined ? {} : { model }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(turns === undefined ? {} : { limits: { turns } }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : quoted(String(value));
}
