import { isJsonList, isJsonObject, type JsonSchema, type JsonValue, sha256 } from "@mdx-ai/base";
import type { PermissionAction } from "@mdx-ai/parser";
import type { FileKind, Manifest, ManifestSettings, ManifestSkillTool, ManifestTool } from "./manifest.ts";
import { type ManifestServer, serverAspects } from "./manifest-server.ts";

/** The kind of an entry, which decides how its differences are graded. */
type EntryKind =
  /** What runs, what decides that, and everything whose presence alone allows something, such as a variable. */
  | "code"
  | "host"
  | "file"
  /** The policy decision about calls of a pattern, or of a tool: `allow` if a tool has none. */
  | "rule"
  | "tool permission"
  | "order"
  /** Restricts what it is about: without it, all is allowed. */
  | "restriction"
  /** Compared in detail elsewhere. */
  | "detailed"
  /** Grants no power. */
  | "note";

/** One property or permission of an agent. */
export interface Entry {
  /** Such as `tool "greet"` or `module file modules/clock.ts`. */
  readonly subject: string;
  /** The aspect of the subject, such as "code"; empty for all of it. */
  readonly aspect: string;
  readonly kind: EntryKind;
  /** A hash or a few words; equal in equal states. */
  readonly value: string;
  /** What people see; absent if they only need to know whether it exists and is the same. */
  readonly shown?: string;
}

/** The parts of an inline tool that execute or grant power. */
type ToolPowers = Pick<
  ManifestTool,
  "name" | "code" | "schema" | "environment" | "network" | "files" | "permission" | "idempotent"
>;

/** The parts of an agent that execute or grant power, from a directory or a lock file. */
export interface Powers extends Pick<Manifest, "program" | "packages" | "waking" | "skillTools"> {
  readonly tools: readonly ToolPowers[];
  readonly files: readonly { readonly path: string; readonly kind: FileKind; readonly hash: string }[];
  readonly rules: readonly (readonly [pattern: string, action: PermissionAction])[];
  readonly sandbox?: ManifestSettings["sandbox"];
  readonly servers: readonly ManifestServer[];
  /** What the settings of these names restrict an agent's tools to. */
  readonly restrictions: Readonly<Record<"builtins" | "tools" | "mode", unknown>>;
  /** Where tools work, if that is not the agent directory. */
  readonly workspace?: unknown;
  /** Where skills are besides `skills/`. */
  readonly skills?: ManifestSettings["skills"];
}

/** The entries of what executes or grants power. They contain no prose: no persona, descriptions or texts of skills. */
export function powerEntries(powers: Powers): readonly Entry[] {
  const {
    tools,
    skillTools,
    program,
    files,
    packages,
    rules,
    sandbox,
    servers,
    restrictions,
    workspace,
    skills,
    waking,
  } = powers;
  return [
    ...tools.flatMap(toolEntries),
    ...skillTools.flatMap(skillToolEntries),
    ...present({ subject: "code in the prose of agent.mdx", value: program }),
    ...files.flatMap(({ path, kind, hash }) => present({ subject: `${KINDS[kind]} ${path}`, value: hash })),
    ...packages.flatMap(({ name, hash }) => present({ subject: `package ${name}`, value: hash })),
    ...rules.flatMap(([pattern, action]) =>
      present({ subject: `permission ${pattern}`, kind: "rule", value: action, shown: action }),
    ),
    ...orderEntries(rules.map(([pattern]) => pattern)),
    ...present({ subject: "sandbox", kind: "detailed", value: valueText(sandbox) }),
    ...Object.entries(restrictions).flatMap(([name, value]) =>
      present({ subject: `setting ${name}`, kind: "restriction", value: valueText(value), shown: valueText(value) }),
    ),
    ...present({ subject: "setting workspace", value: valueText(workspace), shown: valueText(workspace) }),
    ...(skills?.paths ?? []).flatMap((path) => present({ subject: `skills of ${path}`, value: "read" })),
    ...servers.flatMap(serverEntries),
    ...present({ subject: "heartbeat", value: waking }),
  ];
}

/** Of several servers with one name, the first is used. */
function serverEntries(server: ManifestServer): readonly Entry[] {
  const subject = `MCP server ${JSON.stringify(server.name)}${server.skill === undefined ? "" : ` of the skill ${JSON.stringify(server.skill)}`}`;
  return serverAspects(server).flatMap(({ aspect, kind, value }) =>
    present({ subject, aspect, value: valueText(value), shown: value, ...(kind && { kind }) }),
  );
}

interface EntryParts {
  readonly subject: string;
  readonly aspect?: string;
  readonly kind?: EntryKind;
  readonly value: string | undefined;
  readonly shown?: string | undefined;
}

/** An entry, by default of code; none without a value. */
export const present = ({ subject, aspect = "", kind = "code", value, shown }: EntryParts): readonly Entry[] =>
  value === undefined ? [] : [{ subject, aspect, kind, value, ...(shown !== undefined && { shown }) }];

/** Unique among the entries of an agent: no subject contains the separator. */
export const entryName = ({ subject, aspect }: Entry): string => (aspect === "" ? subject : `${subject}: ${aspect}`);

const KINDS: Readonly<Record<FileKind, string>> = {
  module: "module file",
  tool: "tool file",
  import: "imported file",
  script: "script",
  skill: "skill file",
  configuration: "file",
};

/** The subject of a tool's entries. Quoted, so that no name can imitate another entry. */
export const toolSubject = (name: string): string => `tool ${JSON.stringify(name)}`;

function toolEntries(tool: ToolPowers): readonly Entry[] {
  const { name, code, schema, permission, idempotent, environment, network, files } = tool;
  const of = (aspect: string, value: string | undefined, kind?: EntryKind, shown?: string): readonly Entry[] =>
    present({ subject: toolSubject(name), aspect, value, ...(kind && { kind }), shown });
  return [
    ...of("code", code),
    ...of("parameters", sha256(JSON.stringify(withoutDescriptions(schema))), "detailed"),
    ...of("permission", permission, "tool permission", permission),
    ...of("may be repeated", idempotent ? "yes" : undefined),
    ...environment.flatMap((variable) => of(`variable ${variable}`, "seen")),
    ...(network?.flatMap((host) => of(`host ${host}`, "reached", "host")) ?? of(ANY_HOST, "reached")),
    ...(files?.read.flatMap((pattern) => of(`files ${pattern}, to read`, "touched", "file")) ??
      of(ANY_FILE, "touched")),
    ...(files?.write.flatMap((pattern) => of(`files ${pattern}, to write`, "touched", "file")) ?? []),
  ];
}

/** A description grants no power. */
function skillToolEntries({ skill, name, entrypoint, schema, grpc, proto }: ManifestSkillTool): readonly Entry[] {
  const subject = `${toolSubject(name)} of skill ${JSON.stringify(skill)}`;
  const of = (aspect: string, value: string | undefined, shown?: string): readonly Entry[] =>
    present({ subject, aspect, value, shown });
  return [
    ...of("entrypoint", valueText(entrypoint), shortText(entrypoint)),
    ...of("parameters", sha256(JSON.stringify(withoutDescriptions(schema)))),
    ...of("server", valueText(grpc), grpc),
    ...of("proto file", valueText(proto), proto),
  ];
}

const shortText = (text: string): string | undefined => (text.length > LONGEST_VALUE ? undefined : text);

/** The aspects of a tool without a list of hosts or files. */
export const ANY_HOST = "any public host";
export const ANY_FILE = "files of any name";

/** The order of rules matters, since the last that matches decides. */
const orderEntries = (order: readonly string[]): readonly Entry[] =>
  order.length < 2
    ? []
    : present({
        subject: "order of the permissions",
        kind: "order",
        value: sha256(JSON.stringify(order)),
        shown: order.join(", "),
      });

const LONGEST_VALUE = 120;

/** Undefined for undefined. */
function valueText(value: unknown): string | undefined {
  const text = value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  return text !== undefined && text.length > LONGEST_VALUE ? sha256(text) : text;
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
