import { openRun, plainRun, type Surroundings } from "@mdx-ai/directory";
import { plainLine, plainText } from "@mdx-ai/directory/text";
import type { ToolSchema } from "@mdx-ai/models";
import {
  type AgentDefinition,
  type AgentDirectory,
  type AgentSettings,
  type ToolDefinition,
  wireNames,
} from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";
import { type ServerView, serverView } from "../mcp/server-view.ts";
import { counted } from "../output/figures.ts";
import type { Paint } from "../output/paint.ts";
import { type WakeView, wakesText, wakeViews } from "./wakes.ts";

/** The length of a text, and an estimate of its tokens. */
interface TextSize {
  readonly characters: number;
  readonly tokens: number;
}

/** How many examples a tool has, and how many of them a model sees. */
interface ExampleCount {
  readonly tool: string;
  readonly total: number;
  readonly fewShot: number;
}

/** What a model receives before the first user message. */
export interface Inspection {
  readonly name: string;
  readonly system: string;
  /** In the order and under the names that a model sees. */
  readonly tools: readonly ToolSchema[];
  /** Of the tools that have some, under the same names. */
  readonly examples: readonly ExampleCount[];
  readonly sizes: { readonly system: TextSize; readonly tools: TextSize; readonly total: TextSize };
  /** What wakes it by itself, if anything does. */
  readonly wakes: readonly WakeView[];
  /** Its MCP servers. None is started, so that their tools are not among `tools`. */
  readonly servers: readonly DeclaredView[];
}

/** An MCP server, and whether a new session has it. */
type DeclaredView = Pick<ServerView, "name" | "declaredBy" | "skill" | "isEnabled" | "transport" | "target">;

/** What `inspect` knows of an agent beside the agent itself. */
export interface InspectionParts {
  readonly definition: Pick<AgentDefinition, "tools" | "heartbeat" | "settings">;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Looks at an open agent. Rejects with what the code in its prose throws. */
export async function inspect(agent: Agent, { definition, now }: InspectionParts): Promise<Inspection> {
  const system = await agent.systemPrompt();
  const tools = agent.toolSchemas;
  const toolsText = JSON.stringify(tools);
  const sizes = { system: sizeOf(system), tools: sizeOf(toolsText), total: sizeOf(system + toolsText) };
  const examples = exampleCounts(agent, definition.tools);
  const wakes = await wakeViews(definition, now);
  return { name: agent.name, system, tools, examples, sizes, wakes, servers: await declaredViews(agent) };
}

async function declaredViews(agent: Agent): Promise<readonly DeclaredView[]> {
  if (agent.servers.length === 0) return [];
  const skills = await agent.skills();
  return agent.servers.map((server) => {
    const skill = skills.find(({ definition }) => definition.name === server.skill);
    const {
      state: _state,
      tools: _tools,
      resources: _resources,
      prompts: _prompts,
      ...view
    } = serverView(server, skill?.isEnabled ?? true);
    return view;
  });
}

/** Of inline tools the names are those of the definitions. */
function exampleCounts(agent: Agent, definitions: readonly ToolDefinition[]): readonly ExampleCount[] {
  const wire = wireNames(agent.tools.map(({ name }) => name));
  return agent.toolSchemas.flatMap(({ name: tool }) => {
    const { examples = [] } = definitions.find(({ name }) => wire.get(name) === tool) ?? {};
    const fewShot = examples.filter((example) => example.fewShot).length;
    return examples.length === 0 ? [] : [{ tool, total: examples.length, fewShot }];
  });
}

/** English text and JSON take about four characters a token. */
const CHARACTERS_PER_TOKEN = 4;

const sizeOf = (text: string): TextSize => ({
  characters: text.length,
  tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
});

export type PromptSizes = Inspection["sizes"];

/**
 * The size of what a model receives before the first user message, as `inspect` shows it. No code of the directory runs:
 * additions by modules and by code in its prose do not count. Rejects as `openAgent` does.
 */
export async function promptSizes(directory: AgentDirectory, surroundings: Surroundings): Promise<PromptSizes> {
  const { program: _program, ...rest } = directory.definition;
  // Nothing that runs here needs a sandbox.
  const settings: AgentSettings = { ...rest.settings, sandbox: "off" };
  const definition: AgentDefinition = { ...rest, modules: [], settings };
  const run = { ...plainRun(directory.path, surroundings.currentDirectory), isEphemeral: true };
  const agent = await openRun(run, { ...directory, definition }, { surroundings, wakes: false, isModelless: true });
  try {
    return (await inspect(agent, { definition, now: Date.now() })).sizes;
  } finally {
    await agent.close();
  }
}

/** An inspection for people. */
export function inspectionText({ system, tools, examples, sizes, wakes, servers }: Inspection, paint: Paint): string {
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
    wakes.length === 0 ? "" : `\n${paint("bold", "Wakes")}\n\n${wakesText(wakes)}`,
    servers.length === 0
      ? ""
      : `\n${paint("bold", "MCP servers")} ${paint("dim", "(not started)")}\n\n${declaredText(servers)}`,
    `\n${paint("bold", "Together")} ${sizeText(sizes.total)} before the first message\n`,
  ].join("");
}

const declaredText = (servers: readonly DeclaredView[]): string =>
  servers
    .map(({ name, declaredBy, skill, isEnabled, transport, target }) => {
      const off = isEnabled ? "" : `; the skill ${skill} is not enabled`;
      return `  ${plainLine(name)}  ${plainLine(`${transport}: ${target}`)}  (${plainLine(`${declaredBy}${off}`)})\n`;
    })
    .join("");

function examplesLine(count: ExampleCount | undefined): string {
  if (count === undefined) return "";
  const { total, fewShot } = count;
  const shown = fewShot === 0 ? "the model sees none" : `the model sees ${fewShot === total ? "all" : fewShot}`;
  return `  ${counted(total, "example")}; ${shown}\n`;
}

const sizeText = ({ characters, tokens }: TextSize): string =>
  `${characters.toLocaleString("en")} characters, about ${tokens.toLocaleString("en")} tokens`;

const indented = (text: string): string =>
  plainText(text)
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
