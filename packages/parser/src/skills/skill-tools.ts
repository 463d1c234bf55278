import { defined, didYouMean, isJsonObject, type JsonObject } from "@mdx-ai/base";
import { readLocatedJson } from "@mdx-ai/base/json";
import { readYamlMap, type YamlMap } from "@mdx-ai/base/yaml";
import { getNodePath } from "jsonc-parser";
import { quoted, type Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import { checkSchema } from "../tools/schema/check-schema.ts";
import type { SkillToolDefinition } from "../types/skill-definition.ts";
import { ENTRYPOINT_SCHEMES, entrypointMistake, readEntrypoint } from "./entrypoints/schemes.ts";
import { type SkillSection, type ToolBlock, toolBlocks } from "./skill-sections.ts";
import { keySegments, readLenientYaml } from "./skill-yaml.ts";

/** Where the tools of a skill are. */
export interface ToolsReading {
  readonly source: SourceText;
  /** Offset of the body in the source. */
  readonly base: number;
  readonly report: Report;
  /** The settings of the skill's frontmatter that entrypoints use. */
  readonly settings: Readonly<Record<string, string>>;
}

const needed = ["description", "entrypoint", "schema"] as const;
const keys = [...needed, "timeout"] as const;
/** Seconds; a day. */
const MAX_TIMEOUT = 86_400;

/** Reads the tools of a skill. One with a mistake that leaves nothing to run is reported and left out. Never throws. */
export function readSkillTools(section: SkillSection, reading: ToolsReading): readonly SkillToolDefinition[] {
  const tools = new Map<string, SkillToolDefinition>();
  for (const block of toolBlocks(section)) {
    const tool = readTool(block, reading);
    if (tool === undefined) continue;
    if (!tools.has(tool.name)) tools.set(tool.name, tool);
    else {
      const message = `second tool named ${quoted(tool.name)}, which is ignored`;
      reading.report({
        rule: "skill-tool",
        offset: reading.base + block.start,
        message,
        hint: "rename one of the two",
      });
    }
  }
  return [...tools.values()];
}

function readTool(block: ToolBlock, reading: ToolsReading): SkillToolDefinition | undefined {
  const { source, base, report } = reading;
  const offset = base + block.start;
  const fields = readFields(block.text, base + block.textStart, report);
  const missing = needed.filter((key) => fields.values[key] === undefined);
  if (block.name === "" || missing.length > 0) {
    const what = block.name === "" ? "a tool has no name" : `the tool ${quoted(block.name)} has no ${listOf(missing)}`;
    const hint =
      "write `### name`, and below it `description:`, `entrypoint:` and `schema:`, each at the start of a line";
    report({ rule: "skill-tool", offset, message: `${what}; the tool is ignored`, hint });
    return undefined;
  }
  const schema = schemaOf(block.name, fields, report);
  if (schema === undefined) return undefined;
  const entrypoint = readEntrypoint(textOf(fields.values["entrypoint"]), reading.settings);
  if (entrypoint.scheme === "unknown") reportScheme(entrypoint.target, fields.offsetOf(["entrypoint"]), report);
  reportMistake({ entrypoint, schema }, fields, reading);
  const description = textOf(fields.values["description"]);
  const timeout = timeoutOf(fields, report);
  return {
    ...{ name: block.name, description, entrypoint, schema, position: source.pointAt(offset) },
    ...defined({ timeout }),
  };
}

/** Reports why each call of a tool would fail. */
function reportMistake(
  { entrypoint, schema }: Pick<SkillToolDefinition, "entrypoint" | "schema">,
  fields: ToolFields,
  { source, report }: ToolsReading,
): void {
  const found = entrypointMistake(entrypoint, schema);
  if (found === undefined) return;
  const start = fields.offsetOf(["entrypoint"]);
  // In a text that YAML folds or escapes, a position in the value is none in the file.
  const index = source.text.slice(start).split("\n")[0]?.indexOf(entrypoint.target) ?? -1;
  const offset = index === -1 ? start : start + index + found.index;
  const hint = `${found.hint}; until then each call of the tool is answered with an error`;
  report({ rule: "skill-entrypoint", offset, message: found.message, hint });
}

function timeoutOf(fields: ToolFields, report: Report): number | undefined {
  const value = fields.values["timeout"];
  if (value === undefined) return undefined;
  if (typeof value === "number" && value > 0 && value <= MAX_TIMEOUT) return value;
  const message = `unexpected timeout ${quoted(textOf(value))}, expected seconds, at most ${MAX_TIMEOUT}`;
  report({
    rule: "skill-tool",
    offset: fields.offsetOf(["timeout"]),
    message,
    hint: "write a number, such as `timeout: 120`",
  });
  return undefined;
}

const listOf = (missing: readonly string[]): string => missing.map((key) => `\`${key}\``).join(" and no ");

interface ToolFields {
  /** Undefined for what is missing or empty. */
  readonly values: Readonly<Record<string, unknown>>;
  offsetOf(path: readonly string[]): number;
}

/** Reads the keys of a tool, from an offset of the source. Each is read on its own, so that a text with a colon costs no other. */
function readFields(written: string, base: number, report: Report): ToolFields {
  const text = withoutFences(written);
  const values: Record<string, unknown> = {};
  const located = new Map<string, { readonly offset: number; readonly yaml: YamlMap }>();
  for (const segment of keySegments(text)) {
    const offset = base + segment.offset;
    if (!keys.some((key) => key === segment.key)) {
      reportKey(segment.key, offset, report);
      continue;
    }
    if (located.has(segment.key)) continue;
    const yaml = readYamlMap(segment.text.trimEnd());
    located.set(segment.key, { offset, yaml });
    const value = yaml.problems.length === 0 ? yaml.value[segment.key] : textIn(segment.key, segment.text);
    if (value === undefined) reportYaml(segment.key, offset + (yaml.problems[0]?.offset ?? 0), yaml, report);
    else if (value !== null && value !== "") values[segment.key] = value;
  }
  reportStray(text, base, report);
  return {
    values,
    offsetOf: ([key = "", ...path]) => {
      const found = located.get(key);
      return found === undefined ? base : found.offset + found.yaml.range([key, ...path], "value").start;
    },
  };
}

/** Blanks instead of the lines that open and close a code block, so that offsets stay. */
const withoutFences = (text: string): string =>
  text.replace(/^ {0,3}(?:`{3,}|~{3,}).*$/gm, (line) => " ".repeat(line.length));

/** A text that is no YAML as it is written; a schema needs YAML. */
const textIn = (key: string, text: string): string | undefined =>
  key === "schema" ? undefined : readLenientYaml(text).get(key);

function reportKey(key: string, offset: number, report: Report): void {
  const message = `unexpected ${quoted(key)} of a tool, expected one of ${keys.join(", ")}`;
  report({ rule: "skill-tool", offset, message, hint: didYouMean(key, keys, "remove it: it has no effect") });
}

function reportYaml(key: string, offset: number, { problems }: YamlMap, report: Report): void {
  const message = `cannot parse ${quoted(key)} as YAML (${problems[0]?.message ?? "no value"})`;
  report({ rule: "skill-tool", offset, message, hint: "write YAML, or JSON in braces" });
}

/** Prose between the heading of a tool and its keys belongs to nothing. */
function reportStray(text: string, base: number, report: Report): void {
  const start = text.search(/\S/);
  const first = keySegments(text)[0]?.offset ?? text.length;
  if (start === -1 || start >= first || first === text.length) return;
  const message = "unexpected text above the keys of a tool; no model receives it";
  report({ rule: "skill-tool", offset: base + start, message, hint: "move it into the tool's `description:`" });
}

/** Undefined, and reported, if no call could be checked with it. */
function schemaOf(name: string, fields: ToolFields, report: Report): JsonObject | undefined {
  const value = fields.values["schema"];
  const offset = fields.offsetOf(["schema"]);
  const schema = isJsonObject(value) && value["type"] === undefined ? { type: "object", ...value } : value;
  if (!isJsonObject(schema) || schema["type"] !== "object") {
    const message = `unexpected schema of the tool ${quoted(name)}, expected a JSON Schema with \`type: object\``;
    report({
      rule: "skill-tool",
      offset,
      message,
      hint: "write `schema:` and below it `type: object` and `properties:`",
    });
    return undefined;
  }
  const json = readLocatedJson(JSON.stringify(schema));
  if ("message" in json) {
    report({ rule: "skill-tool", offset, message: `unexpected schema (${json.message})`, hint: "simplify the schema" });
    return undefined;
  }
  const isSound = checkSchema(json, schema, (node, { message, hint }) => {
    const at = fields.offsetOf(["schema", ...getNodePath(node).map(String)]);
    report({ rule: "skill-tool", severity: "warning", offset: at, message, hint });
  });
  return isSound ? schema : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : JSON.stringify(value);
}

function reportScheme(text: string, offset: number, report: Report): void {
  const scheme = /^[^\s:]*(?::(?:get|post|put|delete|patch|head)\b)?/i.exec(text)?.[0] ?? "";
  const schemes = [...ENTRYPOINT_SCHEMES.keys()];
  const message = `unexpected entrypoint ${quoted(text)}, expected one of ${schemes.map((one) => `${one}:`).join(", ")}`;
  const hint = didYouMean(scheme, schemes, "until then each call of the tool is answered with an error");
  report({ rule: "skill-entrypoint", offset, message, hint });
}
