import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { isPowerSetting } from "../powers.ts";
import { quoted } from "../report.ts";
import { didYouMean, onlyClosest } from "../suggestion.ts";
import type { TextEdit } from "../types/diagnostic.ts";
import type { JsonSchema } from "../types/json.ts";
import { meantValue, withFix } from "./meant-value.ts";
import { namesAt, type Path, pathName, schemaAt, settingPath, valueAt } from "./setting-paths.ts";
import { placeOf, type SettingsReading } from "./settings-reading.ts";

/** Reports what the schema refuses and returns the paths of the settings that this costs. */
export function refusedBySchema(reading: SettingsReading): readonly Path[] {
  const { errors } = new Validator({ ...reading.schema }, "2020-12", false).validate(reading.yaml.values);
  const locations = new Set(errors.filter((error) => isLeaf(error)).map((error) => error.instanceLocation));
  return [...locations].map((location) => {
    const path = location.split("/").slice(1).map(unescaped);
    const schema = schemaAt(reading.schema, path);
    if (schema === undefined) reportUnknown(path, reading);
    else reportMisfit(path, schema, reading);
    return schema === undefined ? path : settingPath(reading.schema, path);
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

function reportUnknown(path: Path, reading: SettingsReading): void {
  const key = path.at(-1) ?? "";
  const known = namesAt(reading.schema, path.slice(0, -1));
  const isPower = isPowerSetting(path[0] ?? "");
  reading.report({
    rule: "setting-unknown",
    offset: placeOf(reading, path, "key").start,
    // Nobody should rely on a restriction that is ignored.
    ...(isPower ? { severity: "error" } : {}),
    message: `unexpected setting ${quoted(pathName(reading.schema, path))}, expected one of ${known.join(", ")}`,
    hint: didYouMean(key, known, "remove it: it has no effect"),
    ...withFix(isPower ? undefined : renamed(path, known, reading)),
  });
}

/** The key in its right spelling, if that is still free, takes the value and has an effect. */
function renamed(path: Path, known: readonly string[], reading: SettingsReading): TextEdit | undefined {
  const around = path.slice(0, -1);
  const meant = onlyClosest(path.at(-1) ?? "", known);
  if (meant === undefined || valueAt(reading.yaml.values, [...around, meant]) !== undefined) return undefined;
  const schema = schemaAt(reading.schema, [...around, meant]);
  if (schema?.["x-supported"] === false) return undefined;
  const fits = new Validator({ ...schema }, "2020-12").validate(valueAt(reading.yaml.values, path)).valid;
  const { start, end } = placeOf(reading, path, "key");
  return fits && start < end ? { start, end, text: meant } : undefined;
}

/** Reports that the value at a path is none of its setting. */
export function reportMisfit(path: Path, schema: JsonSchema, reading: SettingsReading): void {
  const value = valueAt(reading.yaml.values, path);
  const { start, end } = placeOf(reading, path, "value");
  const written = reading.text.slice(start - reading.base, end - reading.base);
  const meant = meantValue({ value, written, schema });
  reading.report({
    rule: "setting-type",
    offset: start,
    message: `unexpected ${shown(value)} as ${quoted(pathName(reading.schema, path))}, expected ${schema["title"]}`,
    hint: meant?.hint ?? hintOf(path, value, reading),
    ...withFix(meant === undefined || isPowerSetting(path[0] ?? "") ? undefined : { start, end, text: meant.text }),
  });
}

/** What the setting is for, or what an answer to yes or no may have been meant to say. */
function hintOf(path: Path, value: unknown, { schema }: SettingsReading): string {
  if (path[0] === "sandbox" && value === true)
    return "write `required`, or `auto` if it may also run without a sandbox";
  const around = path.map((_, index) => path.slice(0, path.length - index));
  return String(around.map((place) => schemaAt(schema, place)?.["description"]).find((text) => text !== undefined));
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : quoted(String(value));
}
