import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { scheduleInterval } from "../interval.ts";
import { isRecord } from "../record.ts";
import { quoted, type Report } from "../report.ts";
import { didYouMean } from "../suggestion.ts";
import type { AgentSettings } from "../types/agent-settings.ts";
import type { JsonSchema } from "../types/json.ts";
import { acceptedSettings } from "./accepted-settings.ts";
import { namesAt, type Path, pathName, schemaAt, settingPath, valueAt } from "./setting-paths.ts";
import { settingsSchema } from "./settings-schema.ts";
import { readYamlMap, type YamlMap } from "./yaml-map.ts";

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
  return acceptedSettings(reading.yaml.values, (path) => refused.has(path.join("/")));
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

/** Reports what the schema refuses and returns the paths of what that costs, joined by "/". */
function invalidPaths(reading: SettingsReading): readonly string[] {
  const { errors } = new Validator({ ...settingsSchema }, "2020-12", false).validate(reading.yaml.values);
  const paths = new Set(errors.filter((error) => isLeaf(error)).map((error) => error.instanceLocation));
  return [...paths].map((location) => {
    const path = location.split("/").slice(1).map(unescaped);
    const schema = schemaAt(path);
    if (schema === undefined) reportUnknown(path, reading);
    else reportType(path, schema, reading);
    return (schema === undefined ? path : settingPath(path)).join("/");
  });
}

function isLeaf({ keyword }: OutputUnit): boolean {
  return keyword !== "properties" && keyword !== "additionalProperties" && keyword !== "items";
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

function reportUnknown(path: Path, { yaml, base, report }: SettingsReading): void {
  const key = path.at(-1) ?? "";
  const known = namesAt(path.slice(0, -1));
  report({
    rule: "setting-unknown",
    offset: base + yaml.offsetAt(path, "key"),
    message: `unexpected setting ${quoted(pathName(path))}, expected one of ${known.join(", ")}`,
    hint: didYouMean(key, known, "take it away: it has no effect"),
  });
}

function reportType(path: Path, schema: JsonSchema, { yaml, base, report }: SettingsReading): void {
  const value = valueAt(yaml.values, path);
  report({
    rule: "setting-type",
    offset: base + yaml.offsetAt(path, "value"),
    message: `unexpected ${shown(value)} as ${quoted(pathName(path))}, expected ${schema["title"]}`,
    hint: isTextWithoutQuotes(value, schema) ? `put the value in quotes: "${value}"` : descriptionAt(path),
  });
}

function isTextWithoutQuotes(value: unknown, { type, pattern }: JsonSchema): boolean {
  if (typeof value !== "number" && typeof value !== "boolean") return false;
  const types = [type].flat();
  return types.includes("string") && !types.includes("number") && new RegExp(String(pattern ?? "")).test(String(value));
}

/** Of the setting that a path leads into, where what stands at the path itself has none. */
function descriptionAt(path: Path): string {
  return String(schemaAt(path)?.["description"] ?? schemaAt(settingPath(path))?.["description"]);
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
  return isRecord(value) ? Object.keys(value).map((inner) => [key, inner]) : [];
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : quoted(String(value));
}
