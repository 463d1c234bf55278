import { plainLine } from "@mdx-ai/directory/text";
import { dollars } from "@mdx-ai/directory/views/figures";
import { resolveConfiguration } from "@mdx-ai/models";
import { type AgentDefinition, parametersSchema } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { wakesOf, wakesText } from "../inspection/wakes.ts";

/** What a check says of a heartbeat. */
export interface HeartbeatCheck {
  /** The next five times of each task; none if it is never due again. ISO 8601, UTC. */
  readonly tasks: readonly { readonly name: string; readonly next: readonly string[] }[];
  /** The cost of wakes that find nothing to do; absent if the price is unknown. */
  readonly idle?: IdleCost;
  /** For people. */
  readonly text: string;
}

interface IdleCost {
  /** US dollars a day, at least: only what is known without running the agent is counted. */
  readonly usdPerDay: number;
  readonly wakesPerDay: number;
  readonly model: string;
}

/** What the heartbeat of an agent will do, for an agent that starts at `now` (milliseconds since 1970); undefined without one. */
export async function checkHeartbeat(
  definition: AgentDefinition,
  context: CommandContext,
  now: number,
): Promise<HeartbeatCheck | undefined> {
  const views = await wakesOf(definition, now);
  if (views.length === 0) return undefined;
  const idle = await idleCost(definition, context, now);
  const cost =
    idle === undefined
      ? ""
      : `  If nothing is to be done: about ${idle.wakesPerDay} wakes a day, at least ${dollars(idle.usdPerDay)} with ${plainLine(idle.model)}\n`;
  return {
    tasks: views.map(({ task: name, next }) => ({ name, next })),
    ...(idle !== undefined && { idle }),
    text: `Heartbeat\n${wakesText(views)}${cost}`,
  };
}

/** How often a day an agent wakes, and what that costs at least. */
export interface DailyWakes {
  /** On average; without tasks that have a gate. */
  readonly perDay: number;
  /** US dollars; absent if no model with a known price is configured. */
  readonly usdPerDay?: number;
  readonly model?: string;
}

/** The wakes of an agent that starts at `now` (milliseconds since 1970); undefined without a schedule. */
export async function dailyWakes(
  definition: AgentDefinition,
  context: CommandContext,
  now: number,
): Promise<DailyWakes | undefined> {
  const { heartbeat, settings } = definition;
  if (heartbeat === undefined && settings.schedule === undefined) return undefined;
  const idle = await idleCost(definition, context, now);
  if (idle !== undefined) return { perDay: idle.wakesPerDay, usdPerDay: idle.usdPerDay, model: idle.model };
  const { wakesPerDay } = await import("@mdx-ai/runtime/heartbeat");
  return { perDay: rounded(wakesPerDay({ definition: heartbeat, settings }, now)) };
}

const rounded = (wakes: number): number => Math.round(wakes * 10) / 10;

/** Tokens of an answer that says that there is nothing to do. */
const IDLE_ANSWER = 10;

/** Undefined if no model with a known price is configured. */
async function idleCost(
  definition: AgentDefinition,
  { environment, currentDirectory }: CommandContext,
  now: number,
): Promise<IdleCost | undefined> {
  const sources = { flags: {}, environment, cwd: currentDirectory, author: definition.settings };
  const resolved = await resolveConfiguration(sources).catch(() => undefined);
  const [model] = resolved?.models ?? [];
  if (model?.target.provider !== "vendor") return undefined;
  const { costOf, modelFacts, readPrices } = await import("@mdx-ai/models/prices");
  const facts = modelFacts(model.target.access.vendor.name, model.target.name, await readPrices(environment, () => {}));
  const input = await wakeTokens(definition, now);
  const usage = { input, output: IDLE_ANSWER, cacheRead: 0, cacheWrite: 0, thinking: 0, total: input + IDLE_ANSWER };
  const usd = costOf(usage, facts);
  if (usd === undefined) return undefined;
  const { wakesPerDay } = await import("@mdx-ai/runtime/heartbeat");
  const { heartbeat, settings } = definition;
  const wakes = wakesPerDay({ definition: heartbeat, settings }, now);
  return { usdPerDay: usd * wakes, wakesPerDay: rounded(wakes), model: model.reference.value };
}

/** The tokens of a request that wakes the agent, as far as they are known without running it. */
async function wakeTokens({ identity, tools, heartbeat, settings }: AgentDefinition, now: number): Promise<number> {
  const { heartbeatTasks, wakeMessage } = await import("@mdx-ai/runtime/heartbeat");
  const { estimateTokens } = await import("@mdx-ai/models/tokens");
  const tasks = heartbeatTasks({ definition: heartbeat, settings });
  const schemas = tools.map((tool) => [tool.name, tool.description, parametersSchema(tool)]);
  return estimateTokens([identity.prose, JSON.stringify(schemas), wakeMessage({ definition: heartbeat, tasks, now })].join("\n")); // biome-ignore format: short
}
