import { closest, defined, isRecord } from "@mdx-ai/base";
import type { Problem } from "@mdx-ai/base/schema";
import { readYamlMap } from "@mdx-ai/base/yaml";
import { quoted, type Report } from "../report.ts";
import { readMcpServer } from "../settings/mcp-server.ts";
import type { SkillDefinition } from "../types/skill-definition.ts";
import { ENTRYPOINT_SETTINGS } from "./entrypoints/schemes.ts";
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

/** The settings, as documents write them; `-` and `_` are the same in each. */
const keys = [
  ...["version", "tags", "tool_tags", "triggers", "always_inject", "enabled_by_default"],
  ...["disable-model-invocation", "mcp_server", ...ENTRYPOINT_SETTINGS],
];

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
  const reader = new SettingReader(written, frontmatter, report);
  const settings = defined({
    version: reader.text("version"),
    tags: reader.texts("tags"),
    toolTags: reader.texts("tool_tags"),
    triggers: reader.texts("triggers"),
    alwaysInject: reader.truth("always_inject") || undefined,
    enabledByDefault: reader.truth("enabled_by_default") === false ? false : undefined,
    disableModelInvocation: reader.truth("disable-model-invocation") || undefined,
    mcpServer: reader.server("mcp_server"),
  });
  const texts = ENTRYPOINT_SETTINGS.flatMap((key) => {
    const text = reader.text(key);
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
      if (!written.has(known)) written.set(known, { key, value: fields[key] });
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

class SettingReader {
  readonly #written: ReadonlyMap<string, WrittenSetting>;
  readonly #offsetOf: SkillFrontmatter["offsetOf"];
  readonly #report: Report;

  constructor(written: ReadonlyMap<string, WrittenSetting>, { offsetOf }: SkillFrontmatter, report: Report) {
    this.#written = written;
    this.#offsetOf = offsetOf;
    this.#report = report;
  }

  text(name: string): string | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value === "number") return String(value);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    return this.#refuse(name, "a text");
  }

  /** A list of texts, or one text with commas; undefined if it is empty. */
  texts(name: string): readonly string[] | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const parts: readonly unknown[] = Array.isArray(value)
      ? value
      : typeof value === "string"
        ? textList(value)
        : [null];
    const texts = parts.flatMap((part) => (isScalar(part) ? String(part).trim() : []));
    if (texts.length < parts.length) this.#refuse(name, "a list of texts");
    const distinct = [...new Set(texts.filter((text) => text !== ""))];
    return distinct.length > 0 ? distinct : undefined;
  }

  truth(name: string): boolean | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === "boolean") return value;
    const text = String(value).trim().toLowerCase();
    if (["true", "yes", "on", "1"].includes(text)) return true;
    if (["false", "no", "off", "0"].includes(text)) return false;
    return this.#refuse(name, "`true` or `false`");
  }

  server(name: string): SkillDefinition["mcpServer"] {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const { server, problems } = readMcpServer(value);
    for (const problem of problems) this.#reportServer(name, problem);
    return server;
  }

  #value(name: string): unknown {
    return this.#written.get(name)?.value ?? undefined;
  }

  #refuse(name: string, expected: string): undefined {
    const { key } = this.#written.get(name) ?? { key: name };
    const message = `unexpected value of ${quoted(key)}, expected ${expected}`;
    this.#report({ rule: "skill-setting", offset: this.#offsetOf(key), message, hint: `write ${expected}` });
  }

  #reportServer(name: string, { path, message, hint }: Problem): void {
    const { key } = this.#written.get(name) ?? { key: name };
    const offset = this.#offsetOf(key, ...path);
    this.#report({ rule: "skill-server", offset, message: `the server of the skill is left out: ${message}`, hint });
  }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);

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
