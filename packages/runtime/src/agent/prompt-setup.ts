import {
  type AgentParts,
  headSize,
  type NamedText,
  type PromptBegin,
  type PromptPlan,
  upperBound,
  userMessage,
} from "@mdx-ai/loop";
import type { ImageContent, LanguageModel, ModelParameters } from "@mdx-ai/models";
import type { PermissionMode, PromptLimits } from "@mdx-ai/parser";
import { type OpenedSession, workspaceAt } from "@mdx-ai/sessions";
import type { AgentMemory } from "../memory/agent-memory.ts";
import type { Accounting } from "./accounting.ts";
import type { LoadedAgent } from "./load-agent.ts";
import { newSkills, preparedOffer, type SessionOffer } from "./session-offer.ts";
import { sessionTerms } from "./session-terms.ts";

/** What is said in a prompt, and by which means. */
export interface PromptInput {
  readonly id: string;
  /** What the user says. Not looked at if an interrupted prompt is resumed. */
  readonly input: string;
  /** Behind the input. */
  readonly images?: readonly ImageContent[] | undefined;
  /** What the user typed, if a command of theirs made the input. */
  readonly typed?: string | undefined;
  /** The number of the input in the session's queue, if it waited there. */
  readonly queued?: number | undefined;
  /** Asked instead of the agent's own models. */
  readonly model?: LanguageModel | undefined;
  /** The working directory of the session; the agent's own if absent. Absolute. */
  readonly cwd?: string | undefined;
  readonly signal: AbortSignal;
}

/** What a prompt gets and may do, fixed before its loop begins. */
export interface PromptSetup {
  /** Asked in this order. Not empty. */
  readonly models: readonly LanguageModel[];
  readonly parameters: ModelParameters;
  /** Its skills and tools. */
  readonly offer: SessionOffer;
  /** The system prompt, exactly as a model receives it. */
  readonly system: string;
  /** The texts of the system prompt, by names that the agent's author recognizes. */
  readonly texts: () => readonly NamedText[];
  /** A hash of each of them, to report later changes. */
  readonly parts: AgentParts;
  /** The result of its first step, unless an earlier process journaled one. */
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
export async function promptSetup(agent: SetupParts, prompt: PromptInput): Promise<PromptSetup> {
  const { session, loaded, memory, accounting } = agent;
  const { parameters, limits } = loaded.settings;
  const models = modelsOf(loaded, prompt.model);
  const offer = await preparedOffer(loaded, session.skills, prompt.signal);
  const terms = await sessionTerms(session.ownStep, loaded, { memory, offer, cwd: prompt.cwd });
  if (!prompt.signal.aborted) await accounting.checkPrices(limits, models);
  const begin = await promptBegin(agent, prompt, { models, offer, system: terms.system });
  return { ...terms, models, parameters, offer, begin };
}

async function promptBegin(
  agent: SetupParts,
  { id, input, images, typed, queued, cwd }: PromptInput,
  head: Pick<PromptSetup, "models" | "offer" | "system">,
): Promise<PromptBegin> {
  const { options } = agent.loaded;
  const timestamp = options.clock.now();
  return {
    input: userMessage({ text: input, images, typed }, timestamp),
    id,
    ...(queued !== undefined && { queued }),
    plan: await promptPlan(agent, head, { input, timestamp, cwd: cwd ?? options.workspace }),
  };
}

/** How a prompt begins: with what, when, and where its tools work. */
interface Beginning {
  readonly input: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly cwd: string | undefined;
}

async function promptPlan(
  { session, loaded, accounting }: SetupParts,
  { models, offer, system }: Pick<PromptSetup, "models" | "offer" | "system">,
  { input, timestamp, cwd }: Beginning,
): Promise<PromptPlan> {
  const { registry: tools } = offer.snapshot;
  const { limits, ...settings } = loaded.settings;
  const workspace = cwd === undefined ? undefined : workspaceAt(cwd, loaded.options.directory);
  const note = modeNote(loaded.permissions.modeOf(session.key), session.modeNote);
  const skills = newSkills(input, { session, loaded, offer }).map(({ name }) => name);
  const hooks = loaded.modules.hooks.names;
  return {
    ...settings,
    models: await Promise.all(
      models.map(async ({ provider, name }) => ({ provider, name, facts: await accounting.factsOf(provider, name) })),
    ),
    limits,
    ...(limits.seconds !== undefined && { deadline: timestamp + 1000 * limits.seconds }),
    head: headSize({ system, tools: tools.schemas }, upperBound),
    tools: tools.planned,
    ...spentBefore(limits, session, accounting),
    ...(note !== undefined && { modeNote: note }),
    ...(skills.length > 0 && { skills }),
    ...(hooks.length > 0 && { hooks }),
    ...(workspace !== undefined && { workspace }),
  };
}

/**
 * Read only if a limit counts it: to know the day, the time zone must be loaded, which takes longer than all else here.
 */
function spentBefore(
  { session: ofSession, day }: PromptLimits,
  session: OpenedSession,
  accounting: Accounting,
): Pick<PromptPlan, "spentBefore"> {
  if (ofSession === undefined && day === undefined) return {};
  return { spentBefore: { ...(ofSession && { session: session.cost }), ...(day && { day: accounting.today() }) } };
}

const PLAN = "(The user chose plan mode: tools can only read. Say what you would do, and change nothing.)";
const PLAN_ENDED = "(The user left plan mode: tools can change files and run commands again.)";

/**
 * What the model must learn of the mode with the next input, after what it was told last; undefined if it knows. It is a message, not
 * a part of the system prompt, so that the beginning of each request stays the same.
 */
function modeNote(mode: PermissionMode, last: string | undefined): string | undefined {
  if (mode === "plan") return last === PLAN ? undefined : PLAN;
  return last === PLAN ? PLAN_ENDED : undefined;
}
