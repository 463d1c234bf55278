import {
  type AgentEvent,
  type Cost,
  eventId,
  type FileKeeper,
  type Host,
  noCost,
  type PendingPrompt,
  type PromptObserver,
  type Raised,
  runPrompt,
  STEPS,
} from "@mdx-ai/loop";
import type { AssistantMessage, LanguageModel } from "@mdx-ai/models";
import {
  fileKeeper,
  Inbox,
  type InterruptedPrompt,
  type Journal,
  LocalHost,
  type LocalHostOptions,
  type OpenedSession,
  type PromptJournal,
  readPrompt,
  resultLine,
  type SessionQuestions,
  type StepGate,
  withoutDecisions,
} from "@mdx-ai/sessions";
import type { PromptBudget } from "../budget/prompt-budget.ts";
import type { AgentMemory } from "../memory/agent-memory.ts";
import type { ParentCall } from "../types/subagent.ts";
import type { Accounting } from "./accounting.ts";
import { agentEffects } from "./agent-effects.ts";
import type { EventLog, EventReader } from "./event-log.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { modelsOf, type PromptInput, type PromptSetup, promptSetup } from "./prompt-setup.ts";
import type { LoggedPrompt } from "./session-log.ts";

export interface PromptRunnerParts {
  readonly accounting: Accounting;
  readonly memory: AgentMemory;
  /** As in `LocalHostOptions`. */
  readonly closing: AbortSignal;
  readonly gate: StepGate;
  /** As `LocalSession.deliver`. */
  deliver(session: string, text: string, cost: Cost | undefined): Promise<void>;
  /** Returns the observers of a prompt that begins. */
  observe(prompt: LoggedPrompt, model: LanguageModel): readonly PromptObserver[];
}

/** A prompt that is next in the queue. */
export interface Prompt extends PromptInput {
  /** Its state, if an earlier process did not finish it. */
  readonly pendingPrompt?: PendingPrompt;
  /** Receives its events. */
  readonly events: EventLog;
  readonly questions: () => SessionQuestions;
  /** Resolved when the prompt's beginning is on disk. */
  readonly kept?: PromiseWithResolvers<void>;
  /** Called when the prompt can receive further input. */
  onInbox?(inbox: Inbox): void;
  /** Makes the host that runs its steps. Default: the local host. */
  readonly hostOf?: ((options: LocalHostOptions) => Host & Disposable) | undefined;
  /** As in `PromptRunnerParts`, for this prompt. */
  readonly deliver?: ((text: string) => Promise<void>) | undefined;
  /** Whether this process has run its beginning before. Default: if its session says that it was interrupted. */
  readonly isRepeated?: boolean | undefined;
}

/** The host of a prompt has ended before the prompt, which continues elsewhere. */
export class HostEndedError extends Error {
  override readonly name = "HostEndedError";
}

/** How many processes may resume a prompt without reaching its next step, so that a step that crashes each of them ends. */
const MAX_FAILED_RESUMES = 3;

/** Runs prompts in open sessions. */
export class PromptRunner {
  readonly #parts: PromptRunnerParts;

  constructor(parts: PromptRunnerParts) {
    this.#parts = parts;
  }

  /** Rejects with `ModelMissingError`, `UnknownPriceError` or `JournalError`. */
  async run(session: OpenedSession, loaded: LoadedAgent, prompt: Prompt): Promise<void> {
    const { id, interrupted, lastPrompt } = session;
    const { model, onWarning } = loaded.options;
    const number = interrupted?.prompt ?? lastPrompt + 1;
    const begun = { session: id, prompt: number, isResumed: interrupted !== undefined || prompt.isRepeated === true };
    const observers = this.#parts.observe(begun, prompt.model ?? model);
    const isGivenUp = interrupted !== undefined && interrupted.failedResumes >= MAX_FAILED_RESUMES;
    if (isGivenUp) onWarning(givenUp(id, number));
    const signal = isGivenUp ? AbortSignal.abort() : prompt.signal;
    const run = new PromptRun(this.#parts, {
      ...{ session, loaded, prompt: { ...prompt, signal }, observers, interrupted, isGivenUp },
    });
    try {
      await prompt.events.readBy([run, ...observers], () => run.run());
    } catch (error) {
      if (!(error instanceof HostEndedError)) for (const observer of observers) observer.fail(error);
      throw error;
    }
  }
}

/** A prompt and its context. */
interface Running {
  readonly session: OpenedSession;
  readonly loaded: LoadedAgent;
  readonly prompt: Prompt;
  readonly observers: readonly PromptObserver[];
  /** The state of the prompt if it is resumed. */
  readonly interrupted: InterruptedPrompt | undefined;
  /** Whether the prompt is only closed. */
  readonly isGivenUp: boolean;
}

const READ: ReadonlySet<AgentEvent["type"]> = new Set<AgentEvent["type"]>([
  "agent_start",
  "question_asked",
  "question_answered",
  "agent_end",
]);

/** One running prompt. Observes its own events. */
class PromptRun implements EventReader {
  readonly types = READ;
  readonly #parts: PromptRunnerParts;
  readonly #running: Running;
  /** Undefined before the prompt begins. */
  #journal: Journal | undefined;

  constructor(parts: PromptRunnerParts, running: Running) {
    this.#parts = parts;
    this.#running = running;
  }

  send(event: AgentEvent): void {
    const { session, prompt } = this.#running;
    const { kept } = prompt;
    // The beginning of the prompt is journaled.
    if (event.type === "agent_start" && kept) this.#journal?.sync().then(kept.resolve, kept.reject);
    // The journal has the answer.
    if (event.type === "question_answered") prompt.questions().forget(event.questionId);
    // A reader of this event may ask for the session's cost.
    if (event.type === "agent_end") session.count(event.cost);
  }

  async run(): Promise<void> {
    const { session, loaded, prompt, observers, interrupted, isGivenUp } = this.#running;
    const { pendingPrompt, events, signal } = prompt;
    if (interrupted && !signal.aborted) checkModel(session.id, interrupted, modelsOf(loaded, prompt.model));
    if (pendingPrompt) {
      const id = eventId(pendingPrompt.prompt, 0);
      events.send({ type: "prompt_resumed", ...pendingPrompt, ...(isGivenUp && { isGivenUp }), id });
    }
    const setup = await promptSetup({ ...this.#parts, session, loaded }, prompt);
    for (const observer of observers) observer.prepare?.(setup);
    await session.runPrompt((journal) => this.#begin(setup, journal), {
      ...{ id: prompt.id, queued: prompt.queued },
      ...{ modeNote: setup.begin.plan.modeNote, agentParts: setup.parts },
    });
  }

  #begin(setup: PromptSetup, kept: PromptJournal): Promise<Cost> {
    const { session, loaded, interrupted } = this.#running;
    const isUntrusted = interrupted !== undefined && session.isUntrusted;
    const journal = isUntrusted ? { ...kept, journaled: withoutDecisions(kept.journaled) } : kept;
    this.#journal = journal.journal;
    if (interrupted) {
      const resumed = { at: loaded.options.clock.now() };
      journal.journal.append(resultLine(journal.prompt, STEPS.resume.name(interrupted.resumes + 1), resumed));
    }
    return this.#loop(setup, journal);
  }

  async #loop(setup: PromptSetup, journal: PromptJournal): Promise<Cost> {
    const { session, loaded, prompt, observers, isGivenUp } = this.#running;
    const { accounting, closing, deliver } = this.#parts;
    const gate = this.#above?.gate ?? this.#parts.gate;
    const { clock, onWarning, waitsForAgents = true } = loaded.options;
    const { cwd, events, questions, signal } = prompt;
    const inbox = new Inbox(journal);
    prompt.onInbox?.(inbox);
    let kept: FileKeeper | undefined;
    const keeper = (): FileKeeper | undefined => {
      kept ??= session.past && fileKeeper({ ...journal, past: session.past, onWarning });
      return kept;
    };
    const budget = await this.#budget(setup, journal);
    using calling =
      budget &&
      loaded.agents?.begin({
        ...{ session, prompt: journal.prompt, budget, gate, questions, emit: events.send },
        record: (line) => accounting.record(line),
        deliver: prompt.deliver ?? ((text, cost) => deliver(session.id, text, cost)),
      });
    calling?.resume({
      messages: session.messages,
      journaled: journal.journaled,
      inputs: [prompt.input, ...session.queued.map(({ text }) => text)],
    });
    const effects = agentEffects({
      ...{ session, loaded, setup, cwd, journal, isGivenUp, accounting, keeper, questions, budget },
      onSummary: (answer: AssistantMessage) => {
        for (const observer of observers) observer.summarize?.(answer);
      },
    });
    const hostOf = prompt.hostOf ?? ((options: LocalHostOptions) => new LocalHost(options));
    using host = hostOf({
      ...{ ...journal, clock, signal, closing, gate, inbox, emit: events.send },
      ask: (question, stop) => questions().ask(question, stop),
      ...(calling && waitsForAgents && { expected: () => calling.settled() }),
    });
    const cost = await runPrompt(host, effects, journal);
    questions().forgetPrompt(journal.prompt, prompt.pendingPrompt !== undefined);
    return cost;
  }

  /** The call that it works for. */
  get #above(): ParentCall | undefined {
    const { session, loaded } = this.#running;
    return loaded.options.parent?.callOf(session.id);
  }

  /** Undefined if limits count the results of the prompt alone. */
  async #budget(setup: PromptSetup, { prompt, journaled }: PromptJournal): Promise<PromptBudget | undefined> {
    const { session, loaded, prompt: asked } = this.#running;
    const { accounting } = this.#parts;
    const { clock, answersWithin } = loaded.options;
    const past = journaled.length === 0 ? undefined : readPrompt(journaled);
    const { begin, cost = noCost, elsewhere = {} } = past ?? {};
    const { plan, message } = begin ?? { plan: setup.begin.plan, message: undefined };
    const above = this.#above;
    if (!plan.isMetered && above === undefined && loaded.agents === undefined) return undefined;
    const { PromptBudget } = await import("../budget/prompt-budget.ts");
    // Agents may have spent more than the results of an earlier process say.
    const logged = message && accounting.ofPrompt({ session: session.id, prompt }, message.timestamp);
    return new PromptBudget({
      ...{ session, plan, clock, answersWithin, usage: accounting, questions: asked.questions },
      spent: {
        tokens: Math.max(cost.usage.total, logged?.usage.total ?? 0),
        usd: Math.max(cost.usd, logged?.usd ?? 0),
      },
      raised: ofPrompt(elsewhere.raised),
      ...(above && { above: (signal: AbortSignal) => above.ready(signal) }),
    });
  }
}

/** What was added to limits of a prompt itself; the usage log has the others. */
const ofPrompt = (raised: Raised = {}): Raised =>
  Object.fromEntries(Object.entries(raised).filter(([limit]) => !limit.includes(".")));

/** An interrupted prompt began with a model, but the agent now has only the offline model. The prompt stays interrupted. */
export class ModelMissingError extends Error {
  override readonly name = "ModelMissingError";

  constructor(session: string, prompt: number, model: string) {
    super(
      `session ${session}: prompt ${prompt} was interrupted and began with ${model}, which is not configured; ` +
        "configure it or give a model with --model VENDOR/NAME to finish it (mdx-ai models lists the configured models), " +
        "or use another session",
    );
  }
}

/** Throws `ModelMissingError` if only the offline model is left: it must not finish a prompt that a real model began. */
function checkModel(session: string, { prompt, models }: InterruptedPrompt, asked: readonly LanguageModel[]): void {
  const [first] = models;
  if (first === undefined || models.some((model) => model.startsWith("offline/"))) return;
  if (asked.every(({ provider }) => provider === "offline")) throw new ModelMissingError(session, prompt, first);
}

const givenUp = (session: string, prompt: number): string =>
  `session ${session}: prompt ${prompt} was interrupted ${MAX_FAILED_RESUMES} times at the same step and is closed; its results are kept`;
