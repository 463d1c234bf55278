import { closest, defined, didYouMean, isRecord, type JsonSchema, onlyClosest } from "@mdx-ai/base";
import { namesAt, schemaAt, valueAt } from "../arguments/json-pointer.ts";
import { misfits, schemaCheck } from "../arguments/schema-problems.ts";
import { isPowerSetting, settingOfOthers } from "../powers.ts";
import { quoted, shownValue } from "../report.ts";
import type { TextEdit } from "../types/diagnostic.ts";
import { type Path, pathName, rangeOf, type SettingsReading, settingPath } from "./setting-paths.ts";

/** Reports what the schema refuses, and returns the paths of the settings that are left out for it. */
export function refusedBySchema(reading: SettingsReading): readonly Path[] {
  return misfits(reading.yaml.values, reading.schema).map(({ path, schema }) => {
    if (schema === undefined) reportUnknown(path, reading);
    else reportMisfit(path, schema, reading);
    return schema === undefined ? path : settingPath(reading.schema, path);
  });
}

function reportUnknown(path: Path, reading: SettingsReading): void {
  const key = path.at(-1) ?? "";
  const known = namesAt(reading.schema, path.slice(0, -1));
  const isPower = isPowerSetting(path[0] ?? "");
  reading.report({
    rule: "setting-unknown",
    offset: rangeOf(reading, path, "key").start,
    // Ignoring a restriction would give a false sense of safety.
    ...(isPower ? { severity: "error" } : {}),
    message: `unexpected setting ${quoted(pathName(reading.schema, path))}, expected one of ${known.join(", ")}`,
    hint: settingOfOthers(path[0] ?? "") ?? didYouMean(key, known, "remove it: it has no effect"),
    ...defined({ fix: isPower ? undefined : renamed(path, known, reading) }),
  });
}

/** The key in its right spelling, if no other key has or means it, it takes the value and it has an effect. */
function renamed(path: Path, known: readonly string[], reading: SettingsReading): TextEdit | undefined {
  const [around, key = ""] = [path.slice(0, -1), path.at(-1)];
  const meant = onlyClosest(key, known);
  if (meant === undefined || isMeantTwice(key, meant, valueAt(reading.yaml.values, around))) return undefined;
  const schema = schemaAt(reading.schema, [...around, meant]);
  if (schema?.["x-supported"] === false) return undefined;
  const value = valueAt(reading.yaml.values, path);
  const fits = schema !== undefined && schemaCheck(schema)(value).length === 0;
  const { start, end } = rangeOf(reading, path, "key");
  if (!fits || !reading.accepts([...around, meant], value) || start >= end) return undefined;
  if (around.length === 0) reading.renamed.push({ key, to: meant, offset: start });
  return { start, end, text: meant };
}

/** Whether another key of the map is what a key means, or might mean it too. */
function isMeantTwice(key: string, meant: string, map: unknown): boolean {
  return isRecord(map) && Object.keys(map).some((other) => other !== key && closest(other, [meant]) !== undefined);
}

/** Reports that the value at a path does not fit its setting. */
export function reportMisfit(path: Path, schema: JsonSchema, reading: SettingsReading): void {
  const value = valueAt(reading.yaml.values, path);
  const { start, end } = rangeOf(reading, path, "value");
  const written = reading.text.slice(start - reading.base, end - reading.base);
  const meant = schema["x-supported"] === false ? undefined : meantValue({ value, written, schema });
  reading.report({
    rule: "setting-type",
    offset: start,
    message: `unexpected ${shownValue(value)} as ${quoted(pathName(reading.schema, path))}, expected ${schema["title"]}`,
    hint: meant?.hint ?? hintOf(path, value, reading),
    ...defined({
      fix: meant === undefined || isPowerSetting(path[0] ?? "") ? undefined : { start, end, text: meant.text },
    }),
  });
}

/** The purpose of the setting, or the mode that `sandbox: true` most likely means. */
function hintOf(path: Path, value: unknown, { schema }: SettingsReading): string {
  if (path[0] === "sandbox" && value === true)
    return "write `required`, or `auto` if it may also run without a sandbox";
  const around = path.map((_, index) => path.slice(0, path.length - index));
  return String(around.map((place) => schemaAt(schema, place)?.["description"]).find((text) => text !== undefined));
}

/** A value that its schema refuses. */
interface RefusedValue {
  readonly value: unknown;
  readonly written: string;
  readonly schema: JsonSchema;
}

/** The value that the author most likely meant. */
interface MeantValue {
  /** As YAML. */
  readonly text: string;
  readonly hint: string;
}

interface Candidate extends MeantValue {
  readonly value: unknown;
}

/** The value that the author most likely meant and that the schema accepts; undefined if there is none. */
function meantValue(refused: RefusedValue): MeantValue | undefined {
  if (refused.written === "" || /[\r\n]/.test(refused.written)) return undefined;
  return candidates(refused).find(({ value }) => schemaCheck(refused.schema)(value).length === 0);
}

function candidates({ value, written, schema }: RefusedValue): readonly Candidate[] {
  switch (typeof value) {
    case "number":
      return [inQuotes(written)];
    case "boolean":
      return value ? [inQuotes(written)] : [candidate("off"), inQuotes(written)];
    case "string":
      return ofText(value, schema);
    default:
      return [];
  }
}

function inQuotes(written: string): Candidate {
  const text = JSON.stringify(written);
  return { value: written, text, hint: `put the value in quotes: ${text}` };
}

function candidate(value: unknown): Candidate {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { value, text, hint: `write \`${text}\`` };
}

function ofText(text: string, { examples }: JsonSchema): readonly Candidate[] {
  const words = Array.isArray(examples) ? examples.filter((word) => typeof word === "string") : [];
  const near = closest(text, words);
  const plain = plainValue(text.trim());
  return [
    ...(plain === undefined ? [] : [candidate(plain)]),
    ...(plain === false ? [candidate("off")] : []),
    ...(near === undefined ? [] : [{ ...candidate(near), hint: `did you mean \`${near}\`?` }]),
    ...(text.trim() === "" ? [] : [candidate([text])]),
  ];
}

/** The number or truth value that a text means, if it means one. */
function plainValue(text: string): number | boolean | undefined {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (/^(?:yes|on|true)$/i.test(text)) return true;
  return /^(?:no|off|false)$/i.test(text) ? false : undefined;
}
