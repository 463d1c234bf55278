import {
  type AgentEvent,
  type Cost,
  eventId,
  type PendingPrompt,
  type PromptObserver,
  runPrompt,
  STEPS,
} from "@mdx-ai/loop";
import type { AssistantMessage, LanguageModel } from "@mdx-ai/models";
import {
  fileKeeper,
  Inbox,
  LocalHost,
  type OpenedSession,
  type PromptJournal,
  resultLine,
  type SessionQuestions,
  withoutDecisions,
} from "@mdx-ai/sessions";
import type { AgentMemory } from "../memory/agent-memory.ts";
import type { Accounting } from "./accounting.ts";
import { agentEffects } from "./agent-effects.ts";
import type { EventLog, EventReader } from "./event-log.ts";
import type { LoadedAgent } from "./load-agent.ts";
import { modelsOf, type PromptInput, type PromptSetup, promptSetup } from "./prompt-setup.ts";

export interface PromptRunnerParts {
  readonly accounting: Accounting;
  readonly memory: AgentMemory;
  /** As in `LocalHostOptions`. */
  readonly closing: AbortSignal;
  /** The observers of a prompt that begins in a session. */
  observe(session: OpenedSession, model: LanguageModel): readonly PromptObserver[];
}

/** A prompt whose turn has come. */
export interface Prompt extends PromptInput {
  /** Its state, if an earlier process did not finish it. */
  readonly pendingPrompt?: PendingPrompt;
  /** Receives its events. */
  readonly events: EventLog;
  readonly questions: SessionQuestions;
  /** Resolved when the prompt's beginning is on disk. */
  readonly kept?: PromiseWithResolvers<void>;
  /** Called when the prompt can receive what the user says while it runs. */
  onInbox?(inbox: Inbox): void;
}

/** A prompt, and what it runs in. */
interface Run {
  readonly session: OpenedSession;
  readonly loaded: LoadedAgent;
  readonly prompt: Prompt;
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
    const { model, onWarning } = loaded.options;
    const observers = this.#parts.observe(session, prompt.model ?? model);
    const isGivenUp = (session.interrupted?.failedResumes ?? 0) >= MAX_FAILED_RESUMES;
    if (isGivenUp) onWarning(givenUp(session));
    const signal = isGivenUp ? AbortSignal.abort() : prompt.signal;
    const run = { session, loaded, prompt: { ...prompt, signal }, observers, isGivenUp };
    try {
      await prompt.events.readBy(readerOf(session, observers), () => this.#run(run));
    } catch (error) {
      for (const observer of observers) observer.fail(error);
      throw error;
    }
  }

  async #run(run: Run): Promise<void> {
    const { session, loaded, prompt, observers, isGivenUp } = run;
    const { pendingPrompt, events, signal } = prompt;
    if (!signal.aborted) checkModel(session, modelsOf(loaded, prompt.model));
    if (pendingPrompt) {
      const id = eventId(pendingPrompt.prompt, 0);
      events.send({ type: "prompt_resumed", ...pendingPrompt, ...(isGivenUp && { isGivenUp }), id });
    }
    await session.usePolicy(loaded.settings.context);
    const setup = await promptSetup({ ...this.#parts, session, loaded }, prompt);
    for (const observer of observers) observer.prepare?.(setup);
    // So that a replay can report later changes.
    if (!Bun.deepEquals(setup.parts, session.agentParts)) await session.setAgentParts(setup.parts);
    const { interrupted, isUntrusted } = session;
    await session.runPrompt(async (kept) => {
      const journal = isUntrusted ? { ...kept, journaled: withoutDecisions(kept.journaled) } : kept;
      if (interrupted) {
        const resumed = { at: loaded.options.clock.now() };
        journal.journal.append(resultLine(journal.prompt, STEPS.resume.name(interrupted.resumes + 1), resumed));
      }
      return events.readBy(prompt.kept && begunReader(prompt.kept, journal), () => this.#loop(run, setup, journal));
    }, prompt);
  }

  async #loop(run: Run, setup: PromptSetup, journal: PromptJournal): Promise<Cost> {
    const { session, loaded, prompt, observers, isGivenUp } = run;
    const { accounting, closing } = this.#parts;
    const { clock, onWarning } = loaded.options;
    const { cwd, events, questions, signal } = prompt;
    const inbox = new Inbox(journal);
    prompt.onInbox?.(inbox);
    const keeper = session.past && fileKeeper({ ...journal, past: session.past, onWarning });
    const effects = agentEffects({
      ...{ session, loaded, setup, cwd, journal, isGivenUp, accounting, keeper, questions },
      onSummary: (answer: AssistantMessage) => {
        for (const observer of observers) observer.summarize?.(answer);
      },
    });
    const ask = questions.ask.bind(questions);
    const emit = (event: AgentEvent): void => {
      events.send(event);
      // The journal has the answer.
      if (event.type === "question_answered") questions.forget(event.questionId);
    };
    using host = new LocalHost({ ...journal, clock, signal, closing, inbox, ask, emit });
    const cost = await runPrompt(host, effects, journal);
    questions.forgetPrompt(journal.prompt, prompt.pendingPrompt !== undefined);
    return cost;
  }
}

/** Resolves `kept` when the beginning of a prompt, which its first event follows, is on disk. */
const begunReader = (kept: PromiseWithResolvers<void>, { journal }: PromptJournal): EventReader => ({
  send({ type }) {
    if (type === "agent_start") journal.sync().then(kept.resolve, kept.reject);
  },
});

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
