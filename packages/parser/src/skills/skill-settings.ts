import { closest, defined, isRecord } from "@mdx-ai/base";
import { type Located, mapOf, type Problem, type Schema, validate } from "@mdx-ai/base/schema";
import { readYamlMap } from "@mdx-ai/base/yaml";
import { quoted, type Report } from "../report.ts";
import type { WrittenServer } from "../settings/check-server.ts";
import { mcpServerOf } from "../settings/mcp-server.ts";
import { mcpServerSchema } from "../settings/mcp-server-schema.ts";
import type { SkillDefinition } from "../types/skill-definition.ts";
import { entrypointSettings } from "./entrypoints/schemes.ts";
import { keySegments } from "./skill-yaml.ts";

/** The settings of a skill besides those that every program knows. */
export type SkillSettings = Pick<
  SkillDefinition,
  | "version"
  | "tags"
  | "toolTags"
  | "triggers"
  | "alwaysInject"
  | "enabledByDefault"
  | "disableModelInvocation"
  | "mcpServer"
>;

/** The frontmatter of a skill. */
export interface SkillFrontmatter {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of the value at a path of keys. */
  offsetOf(...path: readonly string[]): number;
}

const text: Schema = { title: "a text", description: "write a text", accepts: (value) => textOf(value) !== undefined };

const texts: Schema = {
  title: "a list of texts",
  description: "write a list of texts",
  accepts: (value) => Array.isArray(value) || typeof value === "string",
  items: { title: "a text", description: "write texts in the list", type: ["string", "number", "boolean"] },
  isLenient: true,
};

const truth: Schema = {
  title: "`true` or `false`",
  description: "write `true` or `false`",
  accepts: (value) => truthOf(value) !== undefined,
};

/** Settings in the forms in which they may be written; in their keys `-` and `_` are the same. */
type WrittenSettings = Readonly<Record<string, unknown>> & { readonly mcp_server?: WrittenServer };

const schema = mapOf<WrittenSettings>("the settings of a skill", "", {
  ...{ version: text, tags: texts, tool_tags: texts, triggers: texts },
  ...{ always_inject: truth, enabled_by_default: truth, "disable-model-invocation": truth },
  mcp_server: mcpServerSchema,
  ...Object.fromEntries(entrypointSettings().map((key) => [key, text])),
});

const keys = Object.keys(schema.properties ?? {});

const KEYS: ReadonlyMap<string, string> = new Map(keys.map((key) => [key.replaceAll("-", "_"), key]));

/** The keys of the Agent Skills standard, and those of other programs that look like a misspelling of ours. */
const others = [
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
  "type",
  "title",
  "tools",
];

/** The settings of a skill, and those that its entrypoints use. */
interface ReadSkillSettings {
  readonly settings: SkillSettings;
  readonly entrypoints: Readonly<Record<string, string>>;
}

/** Reads the settings of a skill. What is wrong is reported and left out. Never throws. */
export function readSkillSettings(frontmatter: SkillFrontmatter, report: Report): ReadSkillSettings {
  const written = settingsOf(frontmatter, report);
  if (written.size === 0) return { settings: {}, entrypoints: {} };
  const { value = {}, problems } = validate(schema, located(written, frontmatter));
  for (const problem of problems) reportSetting(problem, report);
  const settings = defined({
    version: textOf(value["version"]),
    tags: textsOf(value["tags"]),
    toolTags: textsOf(value["tool_tags"]),
    triggers: textsOf(value["triggers"]),
    alwaysInject: truthOf(value["always_inject"]) || undefined,
    enabledByDefault: truthOf(value["enabled_by_default"]) === false ? false : undefined,
    disableModelInvocation: truthOf(value["disable-model-invocation"]) || undefined,
    mcpServer: value.mcp_server && mcpServerOf(value.mcp_server),
  });
  const texts = entrypointSettings().flatMap((key) => {
    const text = textOf(value[key]);
    return text === undefined ? [] : [[key, text] as const];
  });
  return { settings, entrypoints: Object.fromEntries(texts) };
}

interface WrittenSetting {
  /** As it is written. */
  readonly key: string;
  readonly value: unknown;
}

function settingsOf({ fields, offsetOf }: SkillFrontmatter, report: Report): ReadonlyMap<string, WrittenSetting> {
  const written = new Map<string, WrittenSetting>();
  for (const key of Object.keys(fields)) {
    const known = KEYS.get(sameKey(key));
    if (known !== undefined) {
      // A key without a value is as good as none.
      if (!written.has(known) && fields[key] !== null) written.set(known, { key, value: fields[key] });
      continue;
    }
    const meant = others.includes(key) ? undefined : closest(key, keys);
    if (meant === undefined) continue;
    const message = `unexpected ${quoted(key)} of a skill, which has no effect`;
    report({ rule: "skill-setting", offset: offsetOf(key), message, hint: `did you mean ${quoted(meant)}?` });
  }
  return written;
}

/** The form of a key that ignores how its words are joined. */
const sameKey = (key: string): string => key.toLowerCase().replaceAll("-", "_");

/** The settings under the keys of the schema, with the ranges of the keys that are written. */
const located = (written: ReadonlyMap<string, WrittenSetting>, { offsetOf }: SkillFrontmatter): Located => ({
  value: Object.fromEntries([...written].map(([name, { value }]) => [name, value])),
  range: ([name = "", ...path]) => {
    const offset = offsetOf(written.get(name)?.key ?? name, ...path);
    return { start: offset, end: offset };
  },
  written: () => "",
});

function reportSetting({ path, range: { start: offset }, message, hint }: Problem, report: Report): void {
  if (path[0] !== "mcp_server") report({ rule: "skill-setting", offset, message, hint });
  else report({ rule: "skill-server", offset, message: `the server of the skill is ignored: ${message}`, hint });
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The different texts of a list, or of one text with commas; undefined if it has none. */
function textsOf(value: unknown): readonly string[] | undefined {
  const parts: readonly unknown[] = Array.isArray(value) ? value : typeof value === "string" ? textList(value) : [];
  const distinct = new Set(parts.map((part) => String(part).trim()).filter((part) => part !== ""));
  return distinct.size > 0 ? [...distinct] : undefined;
}

function truthOf(value: unknown): boolean | undefined {
  const word = String(value).trim().toLowerCase();
  if (["true", "yes", "on", "1"].includes(word)) return true;
  return ["false", "no", "off", "0"].includes(word) ? false : undefined;
}

/** The parts of a list that is written in one text: `a, b`, `[a, b]` or `- a - b`. */
function textList(text: string): readonly string[] {
  const inner = text.trim().replace(/^\[(.*)\]$/s, "$1");
  const parts = inner.startsWith("- ") ? inner.slice(2).split(/\s-\s+/) : inner.split(/[,\n]/);
  return parts.map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2")).filter((part) => part !== "");
}

/**
 * The fields of a frontmatter that is no YAML as a whole: those of a skill's settings are read on their own, as YAML, and
 * take the place of their texts.
 */
export function readBrokenSettings(frontmatter: string): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const { key, text } of keySegments(frontmatter)) {
    if (Object.hasOwn(fields, key) || !KEYS.has(sameKey(key))) continue;
    const { value: values, problems } = readYamlMap(text);
    const value = values[key];
    if (problems.length === 0 && (isRecord(value) || Array.isArray(value))) fields[key] = value;
  }
  return fields;
}
