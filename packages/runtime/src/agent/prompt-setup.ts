import { defined } from "@mdx-ai/base";
import {
  type AgentParts,
  type Conversation,
  type Cost,
  headSize,
  type NamedText,
  type PromptBegin,
  type PromptPlan,
  upperBound,
  userMessage,
} from "@mdx-ai/loop";
import type { ImageContent, LanguageModel, ModelParameters } from "@mdx-ai/models";
import type { PermissionMode, PromptLimits, UsageLimits } from "@mdx-ai/parser";
import { type OpenedSession, workspaceAt } from "@mdx-ai/sessions";
import type { AgentMemory } from "../memory/agent-memory.ts";
import type { Accounting } from "./accounting.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { newSkills, preparedToolSet, promptHead, type ToolSet } from "./prompt-head.ts";
import { toolRoom } from "./prompt-settings.ts";

/** The input of a prompt and its options. */
export interface PromptInput {
  readonly id: string;
  /** The user's text. Ignored if an interrupted prompt is resumed. */
  readonly input: string;
  /** Images that follow the text. */
  readonly images?: readonly ImageContent[] | undefined;
  /** The command as typed, if the input was expanded from one. */
  readonly typed?: string | undefined;
  /** As in `UserInput`. */
  readonly cost?: Cost | undefined;
  /** Its number in the session's queue, if it was queued. */
  readonly queued?: number | undefined;
  /** Replaces the agent's models. */
  readonly model?: LanguageModel | undefined;
  /** Besides those of the settings. */
  readonly limits?: UsageLimits | undefined;
  /** The task of heartbeat.md that it is for. */
  readonly task?: string | undefined;
  /** The working directory of the session. Absolute. Default: the agent's working directory. */
  readonly cwd?: string | undefined;
  readonly signal: AbortSignal;
}

/** The setup of a prompt, fixed before its loop begins. */
export interface PromptSetup {
  /** The models, in the order in which they are tried. Not empty. */
  readonly models: readonly LanguageModel[];
  readonly parameters: ModelParameters;
  /** The skills and tools. */
  readonly toolSet: ToolSet;
  /** The system prompt, exactly as a model receives it. */
  readonly system: string;
  /** The texts of the system prompt, by names that the agent's author recognizes. */
  readonly texts: () => readonly NamedText[];
  /** A hash of each of them, to report later changes. */
  readonly parts: AgentParts;
  /** The result of the first step, unless an earlier process journaled one. */
  readonly begin: PromptBegin;
}

export interface SetupParts {
  readonly session: OpenedSession;
  readonly loaded: LoadedAgent;
  readonly memory: AgentMemory;
  readonly accounting: Accounting;
}

/** The models of a prompt. */
export const modelsOf = (
  { options: { model, fallbacks = [] } }: LoadedAgent,
  chosen: LanguageModel | undefined,
): readonly LanguageModel[] => (chosen === undefined ? [model, ...fallbacks] : [chosen]);

/** Rejects with `UnknownPriceError`, or the error of code in the agent's prose. */
export async function promptSetup(
  { session, loaded, memory, accounting }: SetupParts,
  prompt: PromptInput,
): Promise<PromptSetup> {
  const { parameters, context } = loaded.settings;
  const limits = { ...loaded.settings.limits, ...lower(prompt.limits, loaded.settings.limits) };
  const models = modelsOf(loaded, prompt.model);
  await session.usePolicy(context);
  const { skills, ownStep, modeNote, conversation, cost, key } = session;
  const call = loaded.options.parent?.callOf(session.id);
  call?.begin(key);
  const planned = await accounting.plannedModels(models, prompt.signal.aborted ? {} : limits, call?.isPriced);
  loaded.sources.deferBeyond(toolRoom(loaded.options.directory.definition.settings, planned[0]?.facts?.window));
  const toolSet = await preparedToolSet(loaded, skills, prompt.signal);
  const head = await promptHead(ownStep, loaded, { memory, toolSet, cwd: prompt.cwd });
  const mode = { last: modeNote, now: loaded.permissions.modeOf(key) };
  const hasTools = toolSet.snapshot.registry.schemas.length > 0;
  for (const line of models.flatMap((model) => lacks(model, parameters, hasTools))) loaded.warnOfModel(line);
  const begin = promptBegin(loaded, prompt, { ...head, toolSet, planned, limits, cost, mode, conversation });
  return { ...head, models, parameters, toolSet, begin };
}

/** What a model lacks of what it should get, one line each. */
function lacks(model: LanguageModel, parameters: ModelParameters, hasTools: boolean): readonly string[] {
  const name = `${model.provider}/${model.name}`;
  const refused = model.refuses?.(parameters) ?? [];
  return [
    ...refused.map((parameter) => `${name} takes no ${parameter} with these settings, so none is sent`),
    ...(hasTools && model.supportsTools === false ? [`${name} cannot call tools, so it receives none`] : []),
  ];
}

/** The lower one of each limit. */
function lower({ usd, tokens }: UsageLimits = {}, settings: UsageLimits): UsageLimits {
  return {
    ...(usd !== undefined && { usd: Math.min(usd, settings.usd ?? usd) }),
    ...(tokens !== undefined && { tokens: Math.min(tokens, settings.tokens ?? tokens) }),
  };
}

/** What a prompt begins with, besides its input. */
interface Beginning extends Pick<PromptSetup, "toolSet" | "system"> {
  readonly planned: PromptPlan["models"];
  readonly limits: PromptPlan["limits"];
  /** What the session has cost. */
  readonly cost: Cost;
  /** The user's mode and the last note about it that the model received. */
  readonly mode: { readonly now: PermissionMode; readonly last: string | undefined };
  readonly conversation: Conversation;
}

function promptBegin(
  loaded: LoadedAgent,
  { id, input, images, typed, cost, queued, cwd, task }: PromptInput,
  beginning: Beginning,
): PromptBegin {
  const { clock, workspace } = loaded.options;
  const timestamp = clock.now();
  const { seconds } = loaded.settings.limits;
  const folder = cwd ?? workspace;
  const place = folder === undefined ? undefined : workspaceAt(folder, loaded.options.directory);
  return {
    input: userMessage({ text: input, images, typed, cost }, timestamp),
    id,
    ...(queued !== undefined && { queued }),
    plan: {
      ...promptPlan(loaded, input, beginning),
      ...defined({ task }),
      ...(seconds !== undefined && { deadline: timestamp + 1000 * seconds }),
      ...(place !== undefined && { workspace: place }),
    },
  };
}

function promptPlan(
  loaded: LoadedAgent,
  input: string,
  { system, toolSet, planned, limits, cost, mode, conversation }: Beginning,
): PromptPlan {
  const { registry: tools } = toolSet.snapshot;
  const note = noteOf(mode.now, mode.last);
  const skills = newSkills(input, { conversation, loaded, toolSet }).map(({ name }) => name);
  const hooks = loaded.modules.hooks.names;
  return {
    ...loaded.settings,
    limits,
    models: planned,
    head: headSize({ system, tools: tools.schemas }, upperBound),
    tools: tools.planned,
    ...(limits.session && { sessionBefore: cost }),
    ...(isMetered(limits, loaded) && { isMetered: true }),
    ...(note !== undefined && { modeNote: note }),
    ...(skills.length > 0 && { skills }),
    ...(hooks.length > 0 && { hooks }),
  };
}

/** Whether a limit counts what the results of a prompt do not say, or may be raised. */
function isMetered({ on, tokens, usd, session, day, agent }: PromptLimits, { agents }: LoadedAgent): boolean {
  const asks = [on, session?.on, day?.on, agent?.on].includes("ask");
  const isLimited = [tokens, usd, session].some((limit) => limit !== undefined);
  return asks || day !== undefined || agent !== undefined || (agents !== undefined && isLimited);
}

const PLAN = "(The user chose plan mode: tools can only read. Say what you would do, and change nothing.)";
const PLAN_ENDED = "(The user left plan mode: tools can change files and run commands again.)";

/**
 * The note about the mode to send with the next input; undefined if the last note that the model received is still true. It is a message, not
 * a part of the system prompt, so that the prefix of each request stays the same.
 */
function noteOf(mode: PermissionMode, last: string | undefined): string | undefined {
  if (mode === "plan") return last === PLAN ? undefined : PLAN;
  return last === PLAN ? PLAN_ENDED : undefined;
}
