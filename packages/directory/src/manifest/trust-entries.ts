import type { JsonSchema, JsonValue } from "@mdx-ai/parser";
import { isJsonList, isJsonObject, sha256 } from "../json.ts";
import { type FileKind, type Manifest, type ManifestTool, shownRules } from "./manifest.ts";

/** What can execute and what it may do, by names for people; each value is a hash or a few words. */
export type TrustEntries = ReadonlyMap<string, string>;

/** The entries of a manifest, sorted by name. They contain no prose: no persona, descriptions or texts of skills. */
export function trustEntries(manifest: Manifest): TrustEntries {
  const { tools, program, files, packages, settings, waking } = manifest;
  const entries: readonly Entry[] = [
    ...tools.flatMap(toolEntries),
    ...(program === undefined ? [] : [["code in the prose of agent.mdx", program] as const]),
    ...files.map(({ path, kind, hash }) => [`${KINDS[kind]} ${path}`, hash] as const),
    ...packages.map(({ name, hash }) => [`package ${name}`, hash] as const),
    ...permissionEntries(settings.permissions),
    ...(settings.sandbox === undefined ? [] : [["sandbox", valueText(settings.sandbox)] as const]),
    ...(settings.mcp === undefined ? [] : [["MCP servers", valueText(settings.mcp)] as const]),
    ...(waking === undefined ? [] : [["heartbeat", waking] as const]),
  ];
  return new Map(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** One SHA-256 of everything that can execute or grants power. */
export const executableHash = (manifest: Manifest): string => sha256(JSON.stringify([...trustEntries(manifest)]));

type Entry = readonly [name: string, value: string];

const KINDS: Readonly<Record<FileKind, string>> = {
  module: "module file",
  tool: "tool file",
  import: "imported file",
  script: "script",
  configuration: "file",
};

function toolEntries(tool: ManifestTool): readonly Entry[] {
  // Quoted, so that no name can imitate another entry.
  const subject = `tool ${JSON.stringify(tool.name)}`;
  const schema = sha256(JSON.stringify(withoutDescriptions(tool.schema)));
  return [
    [`${subject}: code`, tool.code],
    [`${subject}: parameters`, schema],
    ...(tool.permission === undefined ? [] : [[`${subject}: permission`, tool.permission] as const]),
    ...(tool.idempotent ? [[`${subject}: may be repeated`, "yes"] as const] : []),
    ...tool.environment.map((name) => [`${subject}: variable ${name}`, "seen"] as const),
    ...networkEntries(subject, tool.network),
    ...fileEntries(subject, tool.files),
  ];
}

function networkEntries(subject: string, network: ManifestTool["network"]): readonly Entry[] {
  if (network === undefined) return [[`${subject}: any public host`, "reached"]];
  return network.map((host) => [`${subject}: host ${host}`, "reached"]);
}

function fileEntries(subject: string, files: ManifestTool["files"]): readonly Entry[] {
  if (files === undefined) return [[`${subject}: files of any name`, "touched"]];
  return [
    ...files.read.map((pattern) => [`${subject}: files ${pattern}, to read`, "touched"] as const),
    ...files.write.map((pattern) => [`${subject}: files ${pattern}, to write`, "touched"] as const),
  ];
}

/** The order of rules matters, since the last that matches decides. */
function permissionEntries(permissions: Manifest["settings"]["permissions"]): readonly Entry[] {
  const rules = shownRules(permissions ?? {});
  const order = rules.map(({ pattern }) => pattern);
  return [
    ...rules.map(({ pattern, verdict }) => [`permission ${pattern}`, verdict] as const),
    ...(order.length > 1 ? [["order of the permissions", sha256(JSON.stringify(order))] as const] : []),
  ];
}

const LONGEST_VALUE = 120;

function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? sha256(text) : text;
}

/** A schema without its prose. Names of parameters are kept, whatever they are. */
function withoutDescriptions(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !PROSE.includes(key))
      .map(([key, value]) => [key, NAMED.includes(key) ? ofEachName(value) : inner(value, key)]),
  );
}

const PROSE: readonly string[] = ["description", "title", "$comment", "examples"];

/** Keywords whose keys are names, not keywords. */
const NAMED: readonly string[] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/** Keywords whose values are data, in which a key `description` is data, too. */
const DATA: readonly string[] = ["default", "const", "enum", "required", "dependentRequired"];

function ofEachName(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema, "")]));
}

function inner(value: JsonValue, key: string): JsonValue {
  if (DATA.includes(key)) return value;
  if (isJsonList(value)) return value.map((item) => inner(item, ""));
  return isJsonObject(value) ? withoutDescriptions(value) : value;
}
