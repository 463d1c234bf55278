import { type FrontEnd, openForTools, plainRun, prepareRun } from "@mdx-ai/directory";
import { plainLine, plainText } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import type { ToolSchema } from "@mdx-ai/models";
import {
  type AgentDefinition,
  type AgentDirectory,
  type AgentSettings,
  entrypointText,
  type SkillDefinition,
  type ToolDefinition,
  wireNames,
} from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";
import type { WakeView } from "@mdx-ai/runtime/heartbeat";
import { type ServerView, serverView, stateText } from "../mcp/server-view.ts";
import type { Paint } from "../output/output.ts";
import { skillKind } from "../output/skill-kind.ts";
import { wakesOf, wakesText } from "./wakes.ts";

/** A text's bytes in UTF-8, its length and its estimated tokens. */
interface TextSize {
  readonly bytes: number;
  readonly characters: number;
  readonly tokens: number;
}

/** A tool's number of examples, and how many the model sees. */
interface ExampleCount {
  readonly tool: string;
  readonly total: number;
  readonly fewShot: number;
}

/** A skill, and what a new session gets from it. */
interface InspectedSkill {
  readonly name: string;
  /** Such as "knowledge" or "2 tools". */
  readonly kind: string;
  readonly version: string;
  readonly path: string;
  readonly isEnabled: boolean;
  readonly triggers: readonly string[];
  readonly tags: readonly string[];
  /** Its tools, and how each one runs. */
  readonly tools: readonly { readonly name: string; readonly entrypoint: string }[];
  /** The lines of `## Permissions`. They grant nothing. */
  readonly permissions: readonly string[];
}

/** What a model receives before the first user message. */
export interface Inspection {
  readonly name: string;
  readonly system: string;
  /** In the model's order and with the names that the model sees. */
  readonly tools: readonly ToolSchema[];
  /** For tools with examples, with the same names. */
  readonly examples: readonly ExampleCount[];
  readonly skills: readonly InspectedSkill[];
  readonly sizes: { readonly system: TextSize; readonly tools: TextSize; readonly total: TextSize };
  /** What wakes the agent on schedule. */
  readonly wakes: readonly WakeView[];
  /** The commands that run at events. */
  readonly hooks: readonly InspectedHook[];
  /** The keys that the agent wishes for, by host, with the variable that holds a placeholder. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Declared MCP servers. `tools` has the tools of those that are connected. */
  readonly servers: readonly DeclaredView[];
}

/** A command of the settings that runs at an event. */
interface InspectedHook {
  readonly event: string;
  /** Absent for all. */
  readonly matcher?: string;
  readonly command: string;
}

/** An MCP server, and whether a new session has it. */
type DeclaredView = Pick<ServerView, "name" | "declaredBy" | "skill" | "isEnabled" | "transport" | "target" | "state">;

/** What `inspect` needs besides the agent. */
export interface InspectionParts {
  readonly definition: Pick<AgentDefinition, "tools" | "heartbeat" | "settings" | "skills">;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Inspects an open agent. Rejects if code in its prose throws. */
export async function inspect(agent: Agent, { definition, now }: InspectionParts): Promise<Inspection> {
  const system = await agent.systemPrompt();
  const tools = agent.toolSchemas;
  const toolsText = JSON.stringify(tools);
  const sizes = { system: sizeOf(system), tools: sizeOf(toolsText), total: sizeOf(system + toolsText) };
  const examples = exampleCounts(agent, definition.tools);
  const skills = definition.skills.map(inspectedSkill);
  const wakes = await wakesOf(definition, now);
  const hooks = inspectedHooks(definition.settings);
  const wishes = Object.entries(definition.settings.credentials ?? {}).map(([host, { env }]) => [host, env]);
  const credentials: Readonly<Record<string, string>> = Object.fromEntries(wishes);
  return {
    name: agent.name,
    system,
    tools,
    examples,
    skills,
    sizes,
    wakes,
    hooks,
    credentials,
    servers: await declaredViews(agent),
  };
}

const inspectedHooks = ({ hooks = {} }: AgentSettings): readonly InspectedHook[] =>
  Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks: commands }) =>
      commands.map(({ command }) => ({ event, ...(matcher !== undefined && { matcher }), command })),
    ),
  );

async function declaredViews(agent: Agent): Promise<readonly DeclaredView[]> {
  if (agent.servers.length === 0) return [];
  const skills = await agent.session().skills();
  return agent.servers.map((server) => {
    const skill = skills.find(({ definition }) => definition.name === server.skill);
    const { tools, leftOut, resources, prompts, ...view } = serverView(server, skill?.isEnabled ?? true);
    return view;
  });
}

function inspectedSkill(skill: SkillDefinition): InspectedSkill {
  const {
    name,
    path,
    version = "1.0.0",
    triggers = [],
    tags = [],
    toolTags = [],
    tools = [],
    permissions = [],
  } = skill;
  return {
    name,
    kind: skillKind(skill),
    version,
    path,
    isEnabled: skill.enabledByDefault !== false,
    triggers,
    tags: [...new Set([...tags, ...toolTags])],
    tools: tools.map((tool) => ({ name: tool.name, entrypoint: entrypointText(tool.entrypoint) })),
    permissions,
  };
}

/** For inline tools, names are as in the definitions. */
function exampleCounts(agent: Agent, definitions: readonly ToolDefinition[]): readonly ExampleCount[] {
  const wire = wireNames(agent.tools.map(({ name }) => name));
  return agent.toolSchemas.flatMap(({ name: tool }) => {
    const { examples = [] } = definitions.find(({ name }) => wire.get(name) === tool) ?? {};
    const fewShot = examples.filter((example) => example.fewShot).length;
    return examples.length === 0 ? [] : [{ tool, total: examples.length, fewShot }];
  });
}

/** About four characters per token in English and JSON. */
const CHARACTERS_PER_TOKEN = 4;

const sizeOf = (text: string): TextSize => ({
  bytes: Buffer.byteLength(text),
  characters: text.length,
  tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
});

export type PromptSizes = Inspection["sizes"];

/**
 * The size of what a model receives before the first user message. Runs no code of the directory, so additions by modules and by code in
 * prose do not count. Rejects as `openAgent` does.
 */
export async function promptSizes(directory: AgentDirectory, frontEnd: FrontEnd): Promise<PromptSizes> {
  const { program: _program, ...rest } = directory.definition;
  // Nothing runs here, so no sandbox is needed.
  const settings: AgentSettings = { ...rest.settings, sandbox: "off" };
  const definition: AgentDefinition = { ...rest, modules: [], settings };
  const options = { ...plainRun(directory.path, frontEnd.currentDirectory), isEphemeral: true };
  const run = await prepareRun(options, { ...directory, definition }, frontEnd);
  const { agent, close } = await openForTools(run, frontEnd, { showsMemory: true });
  try {
    return (await inspect(agent, { definition, now: Date.now() })).sizes;
  } finally {
    await close();
  }
}

/** An inspection as text. */
export function inspectionText(
  { system, tools, examples, skills, sizes, wakes, hooks, credentials, servers }: Inspection,
  paint: Paint,
): string {
  const heading = (title: string, size: TextSize): string =>
    `${paint("bold", title)} ${paint("dim", `(${sizeText(size)})`)}\n\n`;
  const toolTexts = tools.map(
    ({ name, description, parameters }) =>
      `${paint("bold", plainLine(name))}  ${plainText(description)}\n${indented(JSON.stringify(parameters, undefined, 2))}\n` +
      paint("dim", examplesLine(examples.find(({ tool }) => tool === name))),
  );
  return [
    `${heading("System prompt", sizes.system)}${indented(system)}\n`,
    `\n${heading(`Tools: ${tools.length}`, sizes.tools)}${toolTexts.join("\n")}`,
    skills.length === 0
      ? ""
      : `\n${paint("bold", `Skills: ${skills.length}`)}\n\n${skills.map(skillText).join("\n")}\n`,
    wakes.length === 0 ? "" : `\n${paint("bold", "Wakes")}\n\n${wakesText(wakes)}`,
    hooks.length === 0 ? "" : `\n${paint("bold", "Hooks")}\n\n${hooks.map(hookText).join("")}`,
    credentialsText(credentials, paint),
    servers.length === 0
      ? ""
      : `\n${paint("bold", "MCP servers")}${notStarted(servers, paint)}\n\n${declaredText(servers)}`,
    `\n${paint("bold", "Total")} ${totalText(sizes.total)} before the first word of the user\n`,
  ].join("");
}

const hookText = ({ event, matcher, command }: InspectedHook): string =>
  `  ${event}${matcher === undefined ? "" : ` ${plainLine(matcher)}`}: ${plainLine(command)}\n`;
function credentialsText(credentials: Inspection["credentials"], paint: Paint): string {
  const lines = Object.entries(credentials).map(
    ([host, variable]) => `  ${plainLine(host)}  (${plainLine(variable)})\n`,
  );
  const hint = paint("dim", "(if your settings grant them)");
  return lines.length === 0 ? "" : `\n${paint("bold", "Keys that it wishes for")} ${hint}\n\n${lines.join("")}`;
}

const notStarted = (servers: readonly DeclaredView[], paint: Paint): string =>
  servers.every(({ state }) => state.type === "idle") ? ` ${paint("dim", "(not started; --connect starts them)")}` : "";

const declaredText = (servers: readonly DeclaredView[]): string =>
  servers
    .map(({ name, declaredBy, skill, isEnabled, transport, target, state }) => {
      const shown = state.type === "idle" ? "" : `; ${stateText({ state, isEnabled })}`;
      const off = isEnabled ? shown : `; the skill ${skill} is not enabled`;
      return `  ${plainLine(name)}  ${plainLine(`${transport}: ${target}`)}  (${plainLine(`${declaredBy}${off}`)})\n`;
    })
    .join("");
/** A skill on one line, with its triggers and tools below. */
function skillText({ name, kind, isEnabled, triggers, tools }: InspectedSkill): string {
  const state = isEnabled ? "" : ", disabled until a session enables it";
  return [
    `  ${plainLine(name)}  ${kind}${state}`,
    ...(triggers.length === 0 ? [] : [`    triggers: ${triggers.map(plainLine).join(", ")}`]),
    ...tools.map((tool) => `    ${plainLine(tool.name)}: ${plainLine(tool.entrypoint)}`),
  ].join("\n");
}

function examplesLine(count: ExampleCount | undefined): string {
  if (count === undefined) return "";
  const { total, fewShot } = count;
  const shown = fewShot === 0 ? "the model sees none" : `the model sees ${fewShot === total ? "all" : fewShot}`;
  return `  ${counted(total, "example")}; ${shown}\n`;
}

const sizeText = ({ characters, tokens }: TextSize): string =>
  `${characters.toLocaleString("en")} characters, about ${tokens.toLocaleString("en")} tokens`;

const totalText = ({ bytes, tokens }: TextSize): string =>
  `${bytes.toLocaleString("en")} bytes, about ${tokens.toLocaleString("en")} tokens`;

const indented = (text: string): string =>
  plainText(text)
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
