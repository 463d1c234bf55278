import { defined, isRecord } from "@mdx-ai/base";
import { type Path, type Problem, type Schema, validate } from "@mdx-ai/base/schema";
import { readYamlMap, type YamlProblem } from "@mdx-ai/base/yaml";
import { isPowerSetting, settingOfOthers } from "../powers.ts";
import { quoted, type Report } from "../report.ts";
import { isRule } from "../rules.ts";
import {
  type AgentSettings,
  type MemorySettings,
  type OwnSettings,
  PERMISSION_MODES,
  type SkillsSettings,
} from "../types/agent-settings.ts";
import { type PermittedTool, permittedTools } from "./check-permissions.ts";
import { type LocatedPath, sandboxPaths } from "./check-sandbox.ts";
import {
  isToolsMap,
  namedTools,
  type OfferedTool,
  offeredBuiltinNames,
  offeredTools,
  toolNamesOf,
} from "./check-tools.ts";
import { mcpServerOf } from "./mcp-server.ts";
import { offsetOf, type SettingsReading, type WrittenMemory, type WrittenSettings } from "./settings-reading.ts";
import { agentSettings } from "./settings-schema.ts";
import { yamlFix } from "./yaml-fix.ts";

/** The content of a YAML text of settings. */
export interface ReadSettings {
  readonly settings: AgentSettings & OwnSettings;
  /** Tools that `permissions` names without a wildcard. */
  readonly permittedTools: readonly PermittedTool[];
  /** Tools that `builtins` and `tools` name. */
  readonly namedTools: readonly OfferedTool[];
  /** Whether it names MCP servers, which have tools of their own. */
  readonly hasServers: boolean;
  /** The paths that the user's sandbox shows, those that were refused included. */
  readonly sandboxPaths: readonly LocatedPath[];
  readonly models: readonly NamedModel[];
}

/** The position of a YAML text of settings in its document, and the schema that it must match. */
export interface SettingsContext {
  /** Offset of the text in its document. */
  readonly base: number;
  readonly report: Report;
  /** That of the frontmatter by default. */
  readonly schema?: Schema<WrittenSettings>;
}

/** A model that settings name. Whether a vendor has it, the caller knows. */
interface NamedModel {
  readonly name: string;
  /** `key`: what a fix renames to `model`, so that the fix is right only if a vendor has this model. */
  readonly setting: "model" | "memory.model" | "memory.embeddings" | "key";
  readonly offset: number;
}

/** Reads the YAML of settings. What is wrong is reported and left out. Never throws. */
export function readSettings(text: string, { base, report, schema = agentSettings }: SettingsContext): ReadSettings {
  const yaml = readYamlMap(text);
  for (const problem of yaml.problems) reportYaml(problem, text, { base, report });
  const { value: accepted = {}, problems } = validate(schema, yaml);
  for (const problem of problems) reportSetting(problem, { base, report });
  const reading = { yaml, base, accepted };
  return {
    settings: settingsOf(accepted),
    permittedTools: permittedTools(reading),
    namedTools: namedTools(reading),
    hasServers: Object.hasOwn(yaml.value, "mcp"),
    sandboxPaths: sandboxPaths(reading),
    models: namedModels(reading, problems),
  };
}

type Target = Pick<SettingsContext, "base" | "report">;

/** Reports a mistake in the YAML of settings. */
function reportYaml(problem: YamlProblem, text: string, { base, report }: Target): void {
  const { offset, message } = problem;
  const fix = yamlFix(text, problem);
  report({
    rule: "frontmatter-syntax",
    offset: base + offset,
    message: `cannot parse the YAML (${message})`,
    hint: "write `key: value` lines; put a value with special characters in quotes",
    ...defined({ fix: fix && { start: base + fix.start, end: base + fix.end, text: fix.text } }),
  });
}

const RULES = {
  unknown: "setting-unknown",
  missing: "setting-type",
  mismatch: "setting-type",
  finding: "setting-type",
  unsupported: "setting-not-supported",
} as const;

function reportSetting(problem: Problem, { base, report }: Target): void {
  const { kind, path, range, rule = "", fix } = problem;
  const [setting = ""] = path;
  const isPower = isPowerSetting(setting);
  report({
    rule: isRule(rule) ? rule : RULES[kind],
    offset: base + range.start,
    // Ignoring a restriction would give a false sense of safety.
    ...(kind === "unknown" && isPower ? { severity: "error" } : {}),
    ...textOf(problem),
    ...(fix === undefined || isPower ? {} : { fix: { ...fix, start: base + fix.start, end: base + fix.end } }),
  });
}

function textOf({ kind, path, message, hint }: Problem): Pick<Problem, "message" | "hint"> {
  const [setting = ""] = path;
  if (kind === "unknown") return { message, hint: settingOfOthers(setting) ?? hint };
  if (kind !== "unsupported") return { message, hint };
  return setting === "sandbox" || setting === "credentials"
    ? {
        message: `a directory cannot set ${quoted(path.join("."))}`,
        hint: "remove it: it counts in the user's own settings.yaml alone",
      }
    : { message, hint: "remove it: the agent does not run with a setting that would have no effect" };
}

/** The models that settings name, and the values of keys that fixes rename to `model`. */
function namedModels(reading: SettingsReading, problems: readonly Problem[]): readonly NamedModel[] {
  const { model, memory } = reading.accepted;
  const startOf = (path: Path): number => offsetOf(reading, path, "value");
  const ofMemory = (["model", "embeddings"] as const).flatMap((key) =>
    textsOf(isRecord(memory) ? memory[key] : undefined).map(({ name }) => ({
      name,
      setting: `memory.${key}` as const,
      offset: startOf(["memory", key]),
    })),
  );
  const renamed = problems.filter(
    ({ kind, path, fix }) => kind === "unknown" && path.length === 1 && fix?.text === "model",
  );
  return [
    ...textsOf(model).map(({ name, path }) => ({
      name,
      setting: "model" as const,
      offset: startOf(["model", ...path]),
    })),
    ...ofMemory,
    ...renamed.flatMap(({ value, range }) =>
      textsOf(value).map(({ name }) => ({ name, setting: "key" as const, offset: reading.base + range.start })),
    ),
  ];
}

interface NamedText {
  readonly name: string;
  /** In a list: its index. */
  readonly path: Path;
}

function textsOf(value: unknown): readonly NamedText[] {
  if (!Array.isArray(value)) return typeof value === "string" ? [{ name: value, path: [] }] : [];
  const items: readonly unknown[] = value;
  return items.flatMap((name, index) => (typeof name === "string" ? [{ name, path: [String(index)] }] : []));
}

/** The settings in the forms in which they are used. */
function settingsOf(written: WrittenSettings): AgentSettings & OwnSettings {
  const { name, builtins, tools, permissions: permitted = {}, mcp, memory, skills, ...others } = written;
  const { mode, ...permissions } = permitted;
  return {
    ...others,
    ...defined({
      name: name?.trim(),
      permissions: Object.keys(permissions).length > 0 ? permissions : undefined,
      mcp: mcp && Object.fromEntries(Object.entries(mcp).map(([server, parts]) => [server, mcpServerOf(parts)])),
      memory: memory === "on" ? {} : memory === "off" || memory === undefined ? memory : memoryOf(memory),
      mode: PERMISSION_MODES.find((known) => known === mode),
      skills: skills && skillsSettings(skills),
      builtins: offeredBuiltinNames(builtins),
      tools: offeredTools(toolNamesOf(tools)),
      deferredTools: isToolsMap(tools) ? tools.deferred : undefined,
    }),
  };
}

function memoryOf({ vault, memory, store, model, embeddings }: WrittenMemory): MemorySettings {
  const kept = store === undefined || store === "embedded" ? store : mcpServerOf(store);
  return defined({
    ...{ vault: vault?.trim(), memory: memory?.trim(), store: kept },
    ...{ model: model?.trim(), embeddings: embeddings?.trim() },
  });
}

function skillsSettings({ paths, ...others }: NonNullable<WrittenSettings["skills"]>): SkillsSettings {
  return { ...defined({ paths: typeof paths === "string" ? [paths] : paths }), ...others };
}
