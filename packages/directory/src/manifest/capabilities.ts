import { isJsonList, isJsonObject, type JsonSchema, type JsonValue, sha256, sortedJson } from "@mdx-ai/base";
import {
  type AgentDefinition,
  type AgentSettings,
  builtinToolNames,
  entrypointText,
  type HeartbeatCode,
  type HeartbeatDirectives,
  type HeartbeatReceiver,
  type HookSettings,
  type PermissionAction,
  type PermissionSettings,
  parametersSchema,
  patternText,
  permissionRules,
  type SandboxSettings,
  type SkillDefinition,
  type ToolDefinition,
} from "@mdx-ai/parser";
import { ALLOWED, type Entry, entryName } from "./manifest.ts";

/** The entries for everything that a definition runs or may do, except files and servers. */
export function capabilities(definition: AgentDefinition): readonly Entry[] {
  const { tools, skills, program, settings } = definition;
  return [
    ...tools.flatMap(toolEntries),
    ...skills.flatMap(skillToolEntries),
    ...(program === undefined
      ? []
      : [{ kind: "code in the prose of agent.mdx", ...ALLOWED, value: sha256(withoutMap(program)) }]),
    ...ruleEntries(settings.permissions),
    ...sandboxEntries(settings.sandbox),
    ...credentialEntries(settings.credentials),
    ...settingEntries(settings),
    ...hookEntries(settings.hooks),
    ...heartbeatEntries(definition),
  ];
}

/** The source map does not execute. */
const withoutMap = (program: string): string => program.replace(/\n\/\/# sourceMappingURL=[^\n]*\n?$/, "");

function toolEntries(tool: ToolDefinition): readonly Entry[] {
  const { name: item, permission, idempotent, environment, network, files } = tool;
  const parameters = JSON.stringify(withoutProse(parametersSchema(tool)));
  const [codeHash, parametersHash] = [sha256(tool.code.text), sha256(parameters)];
  const of = (aspect: string, parts: Partial<Entry> = {}): Entry => ({
    kind: "tool",
    item,
    aspect,
    ...ALLOWED,
    ...parts,
  });
  const anyHost = of("any public host");
  const anyFile = of("files of any name");
  const file = (pattern: string, use: string): Entry =>
    of(`files ${pattern}, to ${use}`, { within: entryName(anyFile) });
  return [
    of("code", { value: codeHash }),
    of("parameters", { value: parametersHash }),
    ...(permission === undefined
      ? []
      : [of("permission", { effect: "decides", value: permission, otherwise: "allow" })]),
    ...(idempotent ? [of("may be repeated")] : []),
    ...environment.map((variable) => of(`variable ${variable}`)),
    ...(network?.map((host) => of(`host ${host}`, isPublic(host) ? { within: entryName(anyHost) } : {})) ?? [anyHost]),
    ...(files === undefined
      ? [anyFile]
      : [
          ...files.read.map((pattern) => file(pattern, "read")),
          ...files.write.map((pattern) => file(pattern, "write")),
        ]),
  ];
}

/** A list may name private hosts, such as a server on this machine. */
const isPublic = (host: string): boolean =>
  !/^(?:localhost|\[?[\d.:a-f]+\]?|.*\.(?:local|internal|localhost))(?::\d+)?$/i.test(host);

/** A call runs the entrypoint and files of the skill. A description grants nothing. */
function skillToolEntries({ name: skill, tools = [] }: SkillDefinition): readonly Entry[] {
  return tools.flatMap(({ name, entrypoint, schema }) => {
    const of = (aspect: string, value: JsonValue): Entry => ({
      ...{ kind: "skill tool", item: `${skill}/${name}`, aspect },
      ...{ ...ALLOWED, value },
    });
    return [
      of("entrypoint", entrypointText(entrypoint)),
      of("parameters", sha256(JSON.stringify(withoutProse(schema)))),
      ...Object.entries(entrypoint.settings ?? {}).map(([key, value]) => of(`setting ${key}`, value)),
    ];
  });
}

/** One rule of `permissions`: a pattern such as `write_file(out/**)` and the action for matching calls. */
export interface ShownRule {
  readonly pattern: string;
  readonly action: PermissionAction;
}

/** The rules of `permissions` in order; each list item under a tool becomes a rule. */
export const shownRules = (permissions: PermissionSettings): readonly ShownRule[] =>
  permissionRules(permissions).map((rule) => ({ pattern: patternText(rule), action: rule.action }));

/** The rules in order: the last matching rule decides. */
function ruleEntries(permissions: AgentSettings["permissions"] = {}): readonly Entry[] {
  const rules = shownRules(permissions);
  const order = rules.map(({ pattern }) => pattern);
  return [
    ...rules.map(
      ({ pattern, action }): Entry => ({ kind: "permission", item: pattern, effect: "decides", value: action }),
    ),
    ...(order.length < 2 ? [] : [{ kind: ORDER, effect: "orders" as const, value: order }]),
  ];
}

const ORDER = "order of the permissions";

function sandboxEntries(sandbox: AgentSettings["sandbox"]): readonly Entry[] {
  const { mode, network = [] }: SandboxSettings = typeof sandbox === "string" ? { mode: sandbox } : (sandbox ?? {});
  const of = (aspect: string, parts: Partial<Entry> = {}): Entry => ({ kind: "sandbox", aspect, ...ALLOWED, ...parts });
  const anyHost = of("any host");
  return [
    ...(mode === undefined ? [] : [of("mode", { effect: "decides", value: mode, otherwise: "auto" })]),
    ...(network === "all" ? [anyHost] : network.map((host) => of(`host ${host}`, { within: entryName(anyHost) }))),
  ];
}

/** The keys that the agent wishes for. The value, which names the variable, decides nothing: host, header and key are the user's. */
const credentialEntries = (credentials: AgentSettings["credentials"] = {}): readonly Entry[] =>
  Object.entries(credentials).map(([host, { env }]) => ({
    ...{ kind: "credential", item: host.toLowerCase(), effect: "allows", value: env },
  }));

function settingEntries({
  builtins,
  tools,
  mode,
  workspace,
  skills,
  self_edit: selfEdit,
}: AgentSettings): readonly Entry[] {
  const restrictions = Object.entries({ builtins, tools, mode });
  const more = (builtins ?? []).filter((name) => !builtinToolNames.some((usual) => usual === name));
  return [
    ...restrictions.flatMap(([item, value]): readonly Entry[] =>
      value === undefined ? [] : [{ kind: "setting", item, effect: "restricts", value }],
    ),
    ...(more.length === 0 ? [] : [{ kind: "setting", item: "more builtins", ...ALLOWED, value: more }]),
    ...(workspace === undefined ? [] : [{ kind: "setting", item: "workspace", ...ALLOWED, value: workspace }]),
    ...(selfEdit === undefined ? [] : [{ kind: "setting", item: "self_edit", ...ALLOWED, value: selfEdit }]),
    ...(skills?.paths ?? []).map((item): Entry => ({ kind: SKILL_FOLDER, item, ...ALLOWED })),
  ];
}

/** The kind of the folders with skills besides `skills/`. */
export const SKILL_FOLDER = "folder of skills";

/** The commands that run at events. Their scripts in the directory are files of the manifest. */
const hookEntries = (hooks: HookSettings = {}): readonly Entry[] =>
  Object.entries(hooks).flatMap(([event, groups = []]) =>
    groups.flatMap(({ matcher = "", hooks: commands }) =>
      commands.flatMap(({ command, timeout }): readonly Entry[] => {
        const item = matcher === "" || matcher === "*" ? event : `${event} ${JSON.stringify(matcher)}`;
        return [
          { kind: "hook", item, ...ALLOWED, value: command },
          ...(timeout === undefined
            ? []
            : [{ kind: "hook", item, aspect: "timeout", effect: "notes" as const, value: timeout }]),
        ];
      }),
    ),
  );

/** The prompts and times of the heartbeat, which run unattended, its code and the receivers of its news. */
function heartbeatEntries({ heartbeat, settings: { schedule, timezone } }: AgentDefinition): readonly Entry[] {
  if (heartbeat === undefined && schedule === undefined) return [];
  const { interval, cron = [], routines = [] } = heartbeat ?? {};
  const pace = [
    ...(interval === undefined ? [] : [`every ${Math.round(interval / 1000)} seconds`]),
    ...cron.map((expression) => `at ${expression}`),
    ...(schedule === undefined ? [] : [`every ${schedule}`]),
    ...routines.map(({ name }) => name),
  ];
  const tasks = routines.map(({ name, time, directives }) => [name, time, directives && withoutPlaces(directives)]);
  const named = heartbeat && {
    ...heartbeat,
    routines: tasks,
    ...(heartbeat.directives && { directives: withoutPlaces(heartbeat.directives) }),
  };
  const directives = [heartbeat?.directives, ...routines.map((task) => task.directives)].flatMap((one) => one ?? []);
  const codes = directives.flatMap(({ gate, done }) => [gate, done].flatMap((code) => (code?.type === "block" ? code.code.text : []))); // biome-ignore format: short
  const of = (aspect: string, parts: Partial<Entry> = {}): Entry => ({
    kind: "heartbeat",
    aspect,
    ...ALLOWED,
    ...parts,
  });
  return [
    { kind: "heartbeat", ...ALLOWED, value: sha256(sortedJson([named, schedule, timezone])) },
    ...(pace.length === 0 ? [] : [of("times", { value: pace.join(", ") })]),
    ...(codes.length === 0 ? [] : [of("code of gates and checks", { value: sha256(codes.join("\n")) })]),
    ...[...new Set(directives.flatMap(({ notify = [] }) => notify.map(receiverText)))].map((receiver) => of(receiver)),
  ];
}

function receiverText(receiver: HeartbeatReceiver): string {
  switch (receiver.type) {
    case "command":
      return `command ${receiver.command}`;
    case "url":
      return `news to ${receiver.url}`;
    case "session":
      return `news to session ${receiver.session}`;
  }
}

/** The same wherever their code is in the file. */
function withoutPlaces({ gate, done, ...others }: HeartbeatDirectives): JsonValue {
  const textOf = (code: HeartbeatCode | undefined): JsonValue =>
    code === undefined ? null : code.type === "tool" ? { tool: code.name } : { code: code.code.text };
  return [sortedJson(others), textOf(gate), textOf(done)];
}

/** A schema without descriptions and titles. Parameters of these names are kept. */
function withoutProse(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !PROSE.includes(key))
      .map(([key, value]) => [key, NAMED.includes(key) ? ofEachName(value) : inner(value, key)]),
  );
}

const PROSE: readonly string[] = ["description", "title", "$comment", "examples"];

/** Keywords whose keys are names, not keywords. */
const NAMED: readonly string[] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/** Keywords whose values are data, so that a key `description` in them is data, too. */
const DATA: readonly string[] = ["default", "const", "enum", "required", "dependentRequired"];

function ofEachName(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema, "")]));
}

function inner(value: JsonValue, key: string): JsonValue {
  if (DATA.includes(key)) return value;
  if (isJsonList(value)) return value.map((item) => inner(item, ""));
  return isJsonObject(value) ? withoutProse(value) : value;
}
