import { defined, isRecord, type JsonSchema } from "@mdx-ai/base";
import { namesAt, schemaAt } from "../arguments/json-pointer.ts";
import { schemaCheck } from "../arguments/schema-problems.ts";
import { scheduleInterval } from "../interval.ts";
import { quoted, type Report } from "../report.ts";
import {
  type AgentSettings,
  PERMISSION_MODES,
  type SkillsSettings,
  type TerminalSettings,
} from "../types/agent-settings.ts";
import { type PermittedTool, permittedTools, refusedPatterns } from "./check-permissions.ts";
import { type LocatedPath, refusedHosts, refusedPaths, sandboxPaths } from "./check-sandbox.ts";
import { refusedBySchema, reportMisfit } from "./check-schema.ts";
import { memoryOf, refusedMemory, refusedServers, serversOf } from "./check-servers.ts";
import { namedTools, type OfferedTool, offeredBuiltinNames, offeredTools } from "./check-tools.ts";
import { type Path, type RenamedKey, rangeOf, type SettingsReading, takesAnyName } from "./setting-paths.ts";
import { settingsSchema } from "./settings-schema.ts";
import { readYamlMap, type YamlProblem, yamlFix } from "./yaml-map.ts";

/** The content of a YAML text of settings. */
export interface ReadSettings {
  readonly settings: AgentSettings & TerminalSettings;
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
  readonly schema?: SettingsReading["schema"];
}

/** A model that settings name. Whether a vendor has it, the caller knows. */
interface NamedModel {
  readonly name: string;
  /** `key`: what a fix renames to `model`, so that the fix is right only if a vendor has this model. */
  readonly setting: "model" | "memory.model" | "key";
  readonly offset: number;
}

/** Reads the YAML of settings. What is wrong is reported and left out. Never throws. */
export function readSettings(text: string, { base, report, schema = settingsSchema }: SettingsContext): ReadSettings {
  const accepts = (path: Path, value: unknown): boolean => !isInvalidTime(path, value);
  const renamed: RenamedKey[] = [];
  const reading = { yaml: readYamlMap(text), text, base, schema, report, accepts, renamed };
  for (const problem of reading.yaml.problems) reportYaml(problem, reading);
  const refused = new Set(refusedBySchema(reading).map(joined));
  for (const path of refusedPatterns(reading)) refused.add(joined(path.slice(0, 2)));
  for (const path of [...refusedHosts(reading), ...refusedPaths(reading)]) refused.add(joined(path));
  for (const path of refusedServers(reading, (inner) => refused.has(joined(inner)))) refused.add(joined(path));
  const hasMemoryMisfit = [...refused].some((path) => path.startsWith("memory"));
  if (!hasMemoryMisfit && refusedMemory(reading)) refused.add("memory");
  for (const key of invalidTimes(reading, refused)) refused.add(key);
  reportUnsupported(reading, refused);
  return {
    settings: acceptedSettings(reading.yaml.values, schema, (path) => refused.has(joined(path))),
    permittedTools: permittedTools(reading, (path) => refused.has(joined(path))),
    namedTools: namedTools(reading, (path) => refused.has(joined(path))),
    hasServers: Object.hasOwn(reading.yaml.values, "mcp"),
    sandboxPaths: sandboxPaths(reading),
    models: namedModels(reading, refused, renamed),
  };
}

/** Reports a mistake in the YAML of settings. */
function reportYaml(problem: YamlProblem, { text, base, report }: SettingsReading): void {
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

function joined(path: Path): string {
  return path.join("/");
}

/** What the schema cannot say: the bounds of an interval, the names of time zones. */
function invalidTimes(reading: SettingsReading, refused: ReadonlySet<string>): readonly string[] {
  const wrong = ["schedule", "timezone"].filter(
    (key) => !refused.has(key) && isInvalidTime([key], reading.yaml.values[key]),
  );
  for (const key of wrong) {
    const schema = schemaAt(reading.schema, [key]);
    if (schema !== undefined) reportMisfit([key], schema, reading);
  }
  return wrong;
}

function isInvalidTime(path: Path, value: unknown): boolean {
  if (typeof value !== "string") return false;
  if (joined(path) === "schedule") return scheduleInterval(value) === undefined;
  return joined(path) === "timezone" && !isTimeZone(value);
}

/** The models that settings name, and the values of keys that fixes rename to `model`. */
function namedModels(
  reading: SettingsReading,
  refused: ReadonlySet<string>,
  renamed: readonly RenamedKey[],
): readonly NamedModel[] {
  const { model, memory } = reading.yaml.values;
  const startOf = (path: Path): number => rangeOf(reading, path, "value").start;
  const own = refused.has("model") ? [] : textsOf(model);
  const isMemoryRefused = [...refused].some((path) => path.startsWith("memory"));
  const ofMemory = isRecord(memory) && !isMemoryRefused ? textsOf(memory["model"]) : [];
  const keys = renamed.filter(({ to }) => to === "model");
  return [
    ...own.map(({ name, path }) => ({ name, setting: "model" as const, offset: startOf(["model", ...path]) })),
    ...ofMemory.map(({ name }) => ({ name, setting: "memory.model" as const, offset: startOf(["memory", "model"]) })),
    ...keys.flatMap(({ key, offset }) =>
      textsOf(reading.yaml.values[key]).map(({ name }) => ({ name, setting: "key" as const, offset })),
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

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function reportUnsupported(reading: SettingsReading, refused: ReadonlySet<string>): void {
  const { values } = reading.yaml;
  const inner = ["limits", "sandbox"].flatMap((key) => keysWithin(values[key], key));
  for (const path of [...Object.keys(values).map((key) => [key]), ...inner]) {
    if (schemaAt(reading.schema, path)?.["x-supported"] !== false || refused.has(joined(path))) continue;
    const isOfUser = path[0] === "sandbox";
    const name = quoted(path.join("."));
    reading.report({
      rule: "setting-not-supported",
      offset: rangeOf(reading, path, "key").start,
      message: isOfUser ? `a directory cannot set ${name}` : `the setting ${name} is not supported in this version`,
      hint: isOfUser
        ? "remove it: it counts in the user's own settings.yaml alone"
        : "remove it: the agent does not run with a setting that would have no effect",
    });
  }
}

function keysWithin(value: unknown, key: string): readonly Path[] {
  return isRecord(value) ? Object.keys(value).map((inner) => [key, inner]) : [];
}

/** The settings of a YAML map without those that were refused and those that this version does not act on. */
function acceptedSettings(
  values: unknown,
  schema: JsonSchema,
  isRefused: (path: Path) => boolean,
): AgentSettings & TerminalSettings {
  const isActedOn = (path: Path): boolean => !isRefused(path) && schemaAt(schema, path)?.["x-supported"] !== false;
  const accepted = withoutRefused(values, [], schema, isActedOn);
  if (!isWrittenSettings(accepted, schema)) return {};
  const { name, builtins, tools, permissions: written = {}, mcp, memory, skills, ...others } = accepted;
  const { mode: writtenMode, ...permissions } = written;
  return {
    ...others,
    ...defined({
      name: name?.trim(),
      permissions: Object.keys(permissions).length > 0 ? permissions : undefined,
      mcp: mcp && serversOf(mcp),
      memory: memoryOf(memory),
      mode: PERMISSION_MODES.find((known) => known === writtenMode),
      skills: skills && skillsSettings(skills),
      builtins: offeredBuiltinNames(builtins),
      tools: offeredTools(tools),
    }),
  };
}

function skillsSettings({ paths, ...others }: NonNullable<WrittenSettings["skills"]>): SkillsSettings {
  return { ...defined({ paths: typeof paths === "string" ? [paths] : paths }), ...others };
}

/** Settings in the forms in which they may be written. */
interface WrittenSettings
  extends Omit<AgentSettings, "builtins" | "tools" | "mode" | "mcp" | "memory" | "skills">,
    TerminalSettings {
  readonly mcp?: Readonly<Record<string, unknown>>;
  readonly memory?: unknown;
  readonly skills?: Omit<SkillsSettings, "paths"> & { readonly paths?: string | readonly string[] };
  readonly builtins?: string | readonly string[];
  readonly tools?: string | readonly string[];
}

function withoutRefused(value: unknown, path: Path, schema: JsonSchema, isActedOn: (path: Path) => boolean): unknown {
  const hasNames = namesAt(schema, path).length > 0 || takesAnyName(schema, path);
  if (!isRecord(value) || !hasNames) return value;
  const entries = Object.keys(value)
    .filter((key) => isActedOn([...path, key]))
    .map((key) => [key, withoutRefused(value[key], [...path, key], schema, isActedOn)] as const)
    .filter(([, inner]) => !isEmptyMap(inner));
  return Object.fromEntries(entries);
}

function isEmptyMap(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

function isWrittenSettings(value: unknown, schema: JsonSchema): value is WrittenSettings {
  return schemaCheck(schema)(value).length === 0;
}
