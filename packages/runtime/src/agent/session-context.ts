import {
  addAnswer,
  type CompactionOutcome,
  type CompactionReport,
  compact,
  isAdapted,
  isCompaction,
  lengthOf,
  noCost,
  pricedOutcome,
  RequestMeter,
  STEPS,
} from "@mdx-ai/loop";
import { type AssistantMessage, type LanguageModel, ModelError } from "@mdx-ai/models";
import type { OpenedSession } from "@mdx-ai/sessions";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { skillMarks } from "../skills/skills.ts";
import type { SessionInfo } from "../types/session.ts";
import type { Accounting } from "./accounting.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { promptHead, toolSetOf } from "./prompt-head.ts";

/** A session, the loaded agent, and shared services. */
export interface ContextParts {
  readonly session: OpenedSession;
  readonly loaded: LoadedAgent;
  readonly accounting: Accounting;
  readonly memory: AgentMemory;
  /** The working directory of the session. Absolute. Default: the agent's working directory. */
  readonly cwd?: string | undefined;
  /** Replaces the agent's model. */
  readonly model?: LanguageModel | undefined;
}

/** As `Session.info`. */
export async function sessionInfo(parts: ContextParts): Promise<SessionInfo> {
  const { session, loaded, accounting, memory, cwd } = parts;
  const { options, settings } = loaded;
  const toolSet = toolSetOf(loaded, session.skills);
  const { system } = await promptHead(session.ownStep, loaded, { memory, toolSet, cwd });
  const { schemas: tools } = toolSet.snapshot.registry;
  const { conversation, cost } = session;
  const meter = new RequestMeter({ system, tools, conversation, policy: settings.context });
  const { provider, name } = parts.model ?? options.model;
  const window = settings.context.window ?? (await accounting.factsOf(provider, name)).window;
  return {
    session: cost,
    day: accounting.today().cost,
    context: { ...(await meter.size()), ...(window !== undefined && { window }) },
  };
}

/** There is nothing that a summary could replace. */
class NothingToReplaceError extends Error {
  override readonly name = "NothingToReplaceError";
}

/** The outcome of a step and whether this process ran it. */
interface Tried {
  readonly outcome: CompactionOutcome;
  readonly isNew: boolean;
}

/**
 * As `Session.compact`: a step of the session itself. Rejects with `ModelError`; the cost of the answer is still journaled.
 */
export async function compactSession(parts: ContextParts, signal: AbortSignal): Promise<CompactionReport | undefined> {
  const { session, loaded, accounting, memory, cwd } = parts;
  const { conversation } = session;
  const { directory, clock } = loaded.options;
  const model = parts.model ?? loaded.options.model;
  const { parameters, context } = loaded.settings;
  const toolSet = toolSetOf(loaded, session.skills);
  const { system } = await promptHead(session.ownStep, loaded, { memory, toolSet, cwd });
  const facts = await accounting.factsOf(model.provider, model.name);
  const window = context.window ?? facts.window;
  const options = {
    ...skillMarks({ skills: directory.definition.skills, agentDir: directory.path }, toolSet.snapshot.registry),
    ...{ model, parameters, signal, now: () => clock.now() },
    head: { system, tools: toolSet.snapshot.registry.schemas },
    policy: { ...context, ...(window !== undefined && { window }) },
  };
  const spend = (answer: AssistantMessage): Promise<number | undefined> =>
    accounting.spend(answer, { session: session.id, prompt: session.lastPrompt }, facts);
  const tried = await firstUse(async (number): Promise<Tried> => {
    let isNew = false;
    const step = STEPS.sessionCompaction.name(lengthOf(conversation), session.rewinds, number);
    const summarise = async (): Promise<CompactionOutcome> => {
      isNew = true;
      const outcome = await compact(conversation, options);
      // Nothing is journaled in this case.
      if (!outcome) throw new NothingToReplaceError();
      return pricedOutcome(outcome, spend);
    };
    const outcome = await session.ownStep(step, summarise, {
      accepts: STEPS.sessionCompaction.accepts,
      effect: "outside",
    });
    if (isNew && outcome.answer) session.count(addAnswer(noCost, outcome.answer, outcome.answer.cost));
    return { outcome, isNew };
  });
  if (tried === undefined || tried.outcome === conversation.compaction) return undefined;
  const { outcome } = tried;
  if (!isCompaction(outcome)) throw new ModelError(`the history could not be summarised: ${outcome.reason}`);
  conversation.compaction = outcome;
  return outcome;
}

/**
 * Reads step results until one is a summary or is new: journaled failures are skipped. A model that has adapted to a rejected request
 * is asked again.
 */
async function firstUse(attempt: (number: number) => Promise<Tried>): Promise<Tried | undefined> {
  try {
    let adaptations = 0;
    for (let number = 1; ; number++) {
      const tried = await attempt(number);
      const { answer } = tried.outcome;
      if (tried.isNew && answer !== undefined && isAdapted(answer, adaptations)) adaptations++;
      else if (tried.isNew || isCompaction(tried.outcome)) return tried;
    }
  } catch (error) {
    if (error instanceof NothingToReplaceError) return undefined;
    throw error;
  }
}
