import type { AssistantMessage, ImageContent, LanguageModel } from "@mdx-ai/models";
import { fileKeeper } from "../checkpoints/file-keeper.ts";
import { userMessage } from "../content-text.ts";
import { withoutDecisions } from "../history/foreign-decisions.ts";
import { Inbox } from "../hosts/inbox.ts";
import { LocalHost } from "../hosts/local-host.ts";
import { resultLine } from "../journal/journal-line.ts";
import { eventId } from "../loop/event-numbers.ts";
import type { PromptBegin } from "../loop/plan.ts";
import { runPrompt } from "../loop/run-prompt.ts";
import { STEPS } from "../loop/steps.ts";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { userAnswers } from "../permissions/user-answers.ts";
import type { OpenedSession } from "../session/session.ts";
import type { AgentEvent, PendingPrompt, PromptObserver } from "../types/event.ts";
import type { Accounting } from "./accounting.ts";
import { agentEffects } from "./agent-effects.ts";
import type { EventLog, EventReader } from "./event-log.ts";
import type { LoadedAgent } from "./load-agent.ts";
import { promptPlan } from "./prompt-plan.ts";
import { preparedOffer, type SessionOffer } from "./session-offer.ts";
import { type SessionTerms, sessionTerms } from "./session-terms.ts";

export interface PromptRunnerParts {
  readonly accounting: Accounting;
  readonly memory: AgentMemory;
  /** As in `LocalHostOptions`. */
  readonly closing: AbortSignal;
  /** The observers of a prompt that begins in a session. */
  observe(session: OpenedSession, model: LanguageModel): readonly PromptObserver[];
}

/** A prompt whose turn has come. */
export interface Prompt {
  readonly id: string;
  /** Not looked at if an interrupted prompt is resumed. */
  readonly input: string;
  /** Behind the input. */
  readonly images?: readonly ImageContent[] | undefined;
  /** What the user typed, if a command of theirs made the input. */
  readonly typed?: string | undefined;
  /** The number of the input in the session's queue, if it waited there. */
  readonly queued?: number | undefined;
  /** Its state, if an earlier process did not finish it. */
  readonly pendingPrompt?: PendingPrompt;
  /** Asked instead of the agent's own models. */
  readonly model?: LanguageModel | undefined;
  /** The working directory of the session; the agent's own if absent. Absolute. */
  readonly cwd?: string | undefined;
  readonly signal: AbortSignal;
  /** Receives its events. */
  readonly events: EventLog;
  /** Called when the prompt can receive what the user says while it runs. */
  onInbox?(inbox: Inbox): void;
  /** Called when the prompt's beginning is journaled; it is on disk after `flushed`. */
  onBegin?(flushed: () => Promise<void>): void;
}

/** A prompt, and what it runs in. */
interface Run {
  readonly session: OpenedSession;
  readonly loaded: LoadedAgent;
  readonly prompt: Prompt;
  /** Asked in this order. Not empty. */
  readonly models: readonly LanguageModel[];
  readonly observers: readonly PromptObserver[];
  /** Whether the prompt is only ended. */
  readonly isGivenUp: boolean;
}

/** How many processes may resume a prompt without reaching its next step: a step that crashes each of them must not loop forever. */
const MAX_FAILED_RESUMES = 3;

/** Runs prompts in open sessions: passes the agent's files and options to the loop. */
export class PromptRunner {
  readonly #parts: PromptRunnerParts;

  constructor(parts: PromptRunnerParts) {
    this.#parts = parts;
  }

  /** Rejects with `ModelMissingError`, `UnknownPriceError` or `JournalError`. */
  async run(session: OpenedSession, loaded: LoadedAgent, prompt: Prompt): Promise<void> {
    const { model, fallbacks = [], onWarning } = loaded.options;
    const models = prompt.model ? [prompt.model] : [model, ...fallbacks];
    const observers = this.#parts.observe(session, prompt.model ?? model);
    const reader = readerOf(session, observers);
    const isGivenUp = (session.interrupted?.failedResumes ?? 0) >= MAX_FAILED_RESUMES;
    if (isGivenUp) onWarning(givenUp(session));
    try {
      await prompt.events.readBy(reader, () => this.#run({ session, loaded, prompt, models, observers, isGivenUp }));
    } catch (error) {
      for (const observer of observers) observer.fail(error);
      throw error;
    }
  }

  async #run(run: Run): Promise<void> {
    const { session, loaded, prompt, models, observers, isGivenUp } = run;
    const { pendingPrompt } = prompt;
    const { interrupted, foreign } = session;
    const emit = (event: AgentEvent): void => prompt.events.send(event);
    const signal = isGivenUp ? AbortSignal.abort() : prompt.signal;
    if (!signal.aborted) checkModel(session, models);
    if (pendingPrompt) {
      const id = eventId(pendingPrompt.prompt, 0);
      emit({ type: "prompt_resumed", ...pendingPrompt, ...(isGivenUp && { isGivenUp }), id });
    }
    const { parameters, limits, context } = loaded.settings;
    const { accounting, memory, closing } = this.#parts;
    const offer = await preparedOffer(loaded, session.skills, signal);
    const terms = await sessionTerms(session.ownStep, loaded, { memory, offer, cwd: prompt.cwd });
    for (const observer of observers) observer.prepare?.({ system: terms.system, parameters });
    if (!signal.aborted) await accounting.checkPrices(limits, models);
    // So that a replay can report later changes.
    if (!Bun.deepEquals(terms.parts, session.agentParts)) await session.setAgentParts(terms.parts);
    await session.usePolicy(context);
    await session.runPrompt(async (kept) => {
      const journaled = foreign.isInterrupted ? withoutDecisions(kept.journaled) : kept.journaled;
      const journal = { ...kept, journaled };
      if (interrupted) {
        const resumed = { at: loaded.options.clock.now() };
        journal.journal.append(resultLine(journal.prompt, STEPS.resume.name(interrupted.resumes + 1), resumed));
      }
      const inbox = new Inbox(journal);
      prompt.onInbox?.(inbox);
      const { onWarning } = loaded.options;
      const keeper = session.past && fileKeeper({ ...journal, past: session.past, onWarning });
      const effects = agentEffects({
        ...{ session, loaded, offer, models, journal, isGivenUp, accounting, keeper },
        ...{ system: terms.system, texts: terms.texts },
        cwd: prompt.cwd,
        begin: async () => {
          const begin = await this.#begin(run, offer, terms);
          prompt.onBegin?.(() => journal.journal.sync());
          return begin;
        },
        onSummary: (answer: AssistantMessage) => {
          for (const observer of observers) observer.summarize?.(answer);
        },
      });
      const ask = userAnswers(loaded.permissions, session.key);
      using host = new LocalHost({ ...journal, clock: loaded.options.clock, signal, closing, inbox, ask, emit });
      return await runPrompt(host, effects, journal);
    }, prompt);
  }

  async #begin(
    { session, loaded, prompt, models }: Run,
    offer: SessionOffer,
    { system }: SessionTerms,
  ): Promise<PromptBegin> {
    const { id, input, images, typed, queued } = prompt;
    const timestamp = loaded.options.clock.now();
    const { accounting } = this.#parts;
    const cwd = prompt.cwd ?? loaded.options.workspace;
    return {
      input: userMessage({ text: input, images, typed }, timestamp),
      id,
      ...(queued !== undefined && { queued }),
      plan: await promptPlan({ session, loaded, offer, system, input, models, accounting, timestamp, cwd }),
    };
  }
}

/** Passes the events of a prompt to its observers. None needs the thousand parts of an answer. */
const readerOf = (session: OpenedSession, observers: readonly PromptObserver[]): EventReader => ({
  send(event) {
    if (event.type === "message_update") return;
    // Who reads that a prompt has ended may ask for the cost of the session.
    if (event.type === "agent_end") session.count(event.cost);
    for (const observer of observers) observer.send(event);
  },
});

/** An interrupted prompt that began with a model, in an agent that has only the offline model. It stays interrupted. */
export class ModelMissingError extends Error {
  override readonly name = "ModelMissingError";

  constructor(session: string, prompt: number, model: string) {
    super(
      `session ${session}: prompt ${prompt} was interrupted and began with ${model}, which is not configured; ` +
        "configure it or give a model with --model VENDOR/NAME to finish it (mdx-ai models shows what is configured), " +
        "or use another session",
    );
  }
}

/** Throws `ModelMissingError`: the offline model, which answers if none is configured, does not finish a prompt that a model began. */
function checkModel({ id, interrupted }: OpenedSession, models: readonly LanguageModel[]): void {
  const [first] = interrupted?.models ?? [];
  if (!interrupted || first === undefined || interrupted.models.some((model) => model.startsWith("offline/"))) return;
  if (models.every(({ provider }) => provider === "offline"))
    throw new ModelMissingError(id, interrupted.prompt, first);
}

const givenUp = ({ id, interrupted }: OpenedSession): string =>
  `session ${id}: prompt ${interrupted?.prompt} was interrupted ${MAX_FAILED_RESUMES} times at the same step and is given up; its results are kept`;
