import type { AssistantMessage, LanguageModel, ToolCall } from "@mdx-ai/models";
import type { PromptLimits } from "@mdx-ai/parser";
import { headSize, upperBound } from "../context/message-size.ts";
import { RequestMeter } from "../context/request-meter.ts";
import type { AgentParts } from "../history/session-history.ts";
import { eventId } from "../hosts/event-numbers.ts";
import { Inbox } from "../hosts/inbox.ts";
import { localHost } from "../hosts/local-host.ts";
import { JOURNAL_VERSION } from "../journal/journal-line.ts";
import type { Step } from "../loop/host.ts";
import type { PromptBegin, PromptPlan } from "../loop/plan.ts";
import type { PromptEffects } from "../loop/prompt-effects.ts";
import { runPrompt } from "../loop/run-prompt.ts";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { NO_MODULES } from "../modules/no-modules.ts";
import { permissionGate } from "../permissions/permission-gate.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import type { PromptJournal, Session } from "../session/session.ts";
import { skillMarks } from "../skills/skill-files.ts";
import { resumeStep } from "../step-names.ts";
import type { Clock, CompactionReport, SessionInfo } from "../types/agent.ts";
import type { AgentEvent, LeftoverPrompt } from "../types/event.ts";
import type { PromptHook } from "../types/module.ts";
import type { PromptObserver } from "../types/prompt-observer.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";
import type { Accounting } from "./accounting.ts";
import { agentParts } from "./agent-parts.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { LostSecrets } from "./lost-secrets.ts";
import { checkModel } from "./model-missing-error.ts";
import { promptHooks } from "./prompt-hooks.ts";
import { promptSettings } from "./prompt-settings.ts";
import { sessionIdentity } from "./session-identity.ts";
import { UnknownPriceError } from "./unknown-price-error.ts";

export interface PromptRunnerParts {
  readonly clock: Clock;
  readonly accounting: Accounting;
  readonly memory: AgentMemory;
  readonly onWarning: (message: string) => void;
  /** As in `LocalHostOptions`. */
  readonly closing: AbortSignal;
  /** The observers of a prompt that begins in a session. */
  observe(session: Session, model: LanguageModel): readonly PromptObserver[];
}

/** A prompt whose turn has come. */
export interface Prompt {
  readonly id: string;
  /** Not looked at if an interrupted prompt is resumed. */
  readonly input: string;
  /** The number of the input in the session's queue, if it waited there. */
  readonly queued?: number | undefined;
  /** What it is, if an earlier process did not finish it. */
  readonly leftover?: LeftoverPrompt;
  /** Asked instead of the agent's own models. */
  readonly model?: LanguageModel | undefined;
  /** The working directory of the session; the agent's own if absent. Absolute. */
  readonly cwd?: string | undefined;
  readonly signal: AbortSignal;
  emit(event: AgentEvent): void;
  /** Receives the answer of each request for a summary. */
  onSummary?(answer: AssistantMessage): void;
  /** Called when the prompt takes what the user says while it runs. */
  onInbox?(inbox: Inbox): void;
  /** Called when the prompt's beginning is journaled; it is on disk after `flushed`. */
  onBegin?(flushed: () => Promise<void>): void;
}

/** What the prompts of a session have in common. */
interface SessionTerms {
  readonly system: string;
  readonly parts: AgentParts;
}

const HOOKS: readonly PromptHook[] = ["beforePrompt", "beforeTool", "afterTool", "afterPrompt"];

/** How often a later process may resume a prompt and not reach its next step: what ends each of them must not end all. */
const MAX_FAILED_RESUMES = 3;

/** Runs prompts in open sessions: gives the loop what the agent's files and options say. */
export class PromptRunner {
  readonly #parts: PromptRunnerParts;

  constructor(parts: PromptRunnerParts) {
    this.#parts = parts;
  }

  /** Rejects with `ModelMissingError`, `UnknownPriceError` or `JournalError`. */
  async run(session: Session, loaded: LoadedAgent, prompt: Prompt): Promise<void> {
    const observers = this.#parts.observe(session, prompt.model ?? loaded.options.model);
    const emit = (event: AgentEvent): void => {
      // Of the thousand parts of an answer nobody writes anything down.
      if (event.type !== "message_update") for (const observer of observers) observer.send(event);
      prompt.emit(event);
    };
    const { leftover } = prompt;
    const isGivenUp = !this.#mayResume(session);
    const models = prompt.model ? [prompt.model] : [loaded.options.model, ...(loaded.options.fallbacks ?? [])];
    try {
      if (!isGivenUp && !prompt.signal.aborted) checkModel(session, models);
      if (leftover) {
        const id = eventId(leftover.prompt, 0);
        emit({ type: "prompt_resumed", ...leftover, ...(isGivenUp && { isGivenUp }), id });
      }
      const terms = await this.#terms(session, loaded);
      const { parameters } = promptSettings(loaded.options);
      for (const observer of observers) observer.prepare?.({ system: terms.system, parameters });
      const onSummary = (answer: AssistantMessage): void => {
        for (const observer of observers) observer.summarize?.(answer);
      };
      await this.#run(session, { loaded, terms, models, isGivenUp, prompt: { ...prompt, emit, onSummary } });
    } catch (error) {
      for (const observer of observers) observer.fail(error);
      throw error;
    }
  }

  async #run(
    session: Session,
    { loaded, terms, prompt, models, isGivenUp }: Omit<EffectParts, "session" | "inbox" | "journal">,
  ): Promise<void> {
    const { interrupted } = session;
    const signal = isGivenUp ? AbortSignal.abort() : prompt.signal;
    if (!signal.aborted) await this.#checkPrices(promptSettings(loaded.options).limits, models);
    // So that a replay can say later what has changed since.
    if (!Bun.deepEquals(terms.parts, session.agentParts)) await session.setAgentParts(terms.parts);
    await session.usePolicy(promptSettings(loaded.options).context);
    const spending = await session.runPrompt(async (journal) => {
      if (interrupted) this.#noteResume(journal, interrupted.resumes + 1);
      const inbox = new Inbox(journal);
      prompt.onInbox?.(inbox);
      const effects = this.#effects({ session, loaded, terms, prompt, models, inbox, journal, isGivenUp });
      using host = localHost({
        ...journal,
        clock: this.#parts.clock,
        signal,
        closing: this.#parts.closing,
        inbox,
        ask: (call, stop) => effects.gate.ask(call, stop),
        emit: prompt.emit,
      });
      return runPrompt(host, effects, journal.conversation);
    }, prompt);
    session.count(spending);
  }

  #effects(run: EffectParts): PromptEffects {
    const { clock, accounting, onWarning } = this.#parts;
    const { session, loaded, terms, models, inbox, journal } = run;
    const { options, permissions, modules } = loaded;
    const tools = loaded.sources.snapshot().registry;
    const { path: agentDir, definition } = options.directory;
    const readTool = tools.schemas.find(({ name }) => tools.nameOf(name) === "read_file")?.name ?? "read_file";
    const secrets = new LostSecrets(journal.recorded);
    return {
      begin: async () => {
        const begin = await this.#begin(run);
        run.prompt.onBegin?.(() => journal.journal.sync());
        return begin;
      },
      system: terms.system,
      tools: run.prompt.cwd === undefined ? tools : withCwd(tools, run.prompt.cwd),
      session: session.id,
      gate: permissionGate({ permissions, session: session.id, sessionKey: session.key, tools }),
      // A hook may be what ended each process that resumed the prompt.
      hooks: promptHooks(run.isGivenUp ? NO_MODULES.hooks : modules.hooks, {
        session: session.id,
        prompt: journal.prompt,
        tools,
      }),
      skills: skillMarks({ skills: definition.skills, agentDir }, readTool),
      modelAt: (index, { provider, name }) => {
        const planned = models.find((model) => model.provider === provider && model.name === name);
        return planned ?? models[Math.min(index, models.length - 1)] ?? options.model;
      },
      spend: (answer, planned) =>
        accounting.spend(answer, { session: session.id, prompt: journal.prompt }, planned.facts),
      ...(run.prompt.onSummary && { onSummary: run.prompt.onSummary }),
      keepCalls: (answer) => secrets.keep(answer),
      lacksSecrets: (call: ToolCall) => secrets.isLost(call),
      closeInbox: () => inbox.close(),
      now: () => clock.now(),
      warn: onWarning,
    };
  }

  async #begin({ session, loaded, terms, prompt, models }: EffectParts): Promise<PromptBegin> {
    const { clock, accounting } = this.#parts;
    const { registry: tools } = loaded.sources.snapshot();
    const { limits, ...settings } = promptSettings(loaded.options);
    const timestamp = clock.now();
    const { seconds } = limits;
    const hooks = HOOKS.filter((hook) => loaded.modules.hooks.has(hook));
    const plan: PromptPlan = {
      ...settings,
      models: await Promise.all(
        models.map(async ({ provider, name }) => ({ provider, name, facts: await accounting.factsOf(provider, name) })),
      ),
      limits,
      ...(seconds !== undefined && { deadline: timestamp + 1000 * seconds }),
      head: headSize({ system: terms.system, tools: tools.schemas }, upperBound),
      tools: tools.planned,
      ...this.#spentBefore(limits, session),
      ...(hooks.length > 0 && { hooks }),
    };
    const { id, input, queued } = prompt;
    return {
      input: { role: "user", content: [{ type: "text", text: input }], timestamp },
      id,
      ...(queued !== undefined && { queued }),
      plan,
    };
  }

  /**
   * Looked at only if a limit counts it: to know the day, the time zone must be loaded, which takes longer than all else here.
   */
  #spentBefore({ session: ofSession, day }: PromptLimits, session: Session): Pick<PromptPlan, "spentBefore"> {
    if (ofSession === undefined && day === undefined) return {};
    return {
      spentBefore: {
        ...(ofSession && { session: session.spending }),
        ...(day && { day: this.#parts.accounting.today() }),
      },
    };
  }

  /** A prompt that ended each process that resumed it is brought to its end without another try. */
  #mayResume({ id, interrupted }: Session): boolean {
    if (interrupted === undefined || interrupted.failedResumes < MAX_FAILED_RESUMES) return true;
    this.#parts.onWarning(
      `session ${id}: prompt ${interrupted.prompt} was interrupted ${MAX_FAILED_RESUMES} times at the same step and is given up; what was done is kept`,
    );
    return false;
  }

  #noteResume({ journal, prompt }: PromptJournal, number: number): void {
    const result = { at: this.#parts.clock.now() };
    journal.append({ v: JOURNAL_VERSION, prompt, step: resumeStep(number), result });
  }

  /** As `Agent.compact`. */
  async compact(session: Session, loaded: LoadedAgent, signal: AbortSignal): Promise<CompactionReport | undefined> {
    const { clock, accounting } = this.#parts;
    const { options } = loaded;
    const { registry: tools } = loaded.sources.snapshot();
    const { model, directory } = options;
    const { parameters, context } = promptSettings(options);
    const { system } = await this.#terms(session, loaded);
    const facts = await accounting.factsOf(model.provider, model.name);
    const window = context.window ?? facts.window;
    const policy = { ...context, ...(window !== undefined && { window }) };
    const skills = skillMarks({ skills: directory.definition.skills, agentDir: directory.path }, "read_file");
    const { compactSession } = await import("./compact-session.ts");
    return compactSession(
      session,
      { ...skills, model, parameters, head: { system, tools: tools.schemas }, policy, signal, now: () => clock.now() },
      (answer) => accounting.spend(answer, { session: session.id, prompt: session.lastPrompt }, facts),
    );
  }

  /** As `Agent.info`. */
  async info(session: Session, loaded: LoadedAgent): Promise<SessionInfo> {
    const { accounting } = this.#parts;
    const { options } = loaded;
    const { registry } = loaded.sources.snapshot();
    const { context } = promptSettings(options);
    const { system } = await this.#terms(session, loaded);
    const { conversation, spending } = session;
    const meter = new RequestMeter({ system, tools: registry.schemas, conversation, policy: context });
    const window = context.window ?? (await accounting.factsOf(options.model.provider, options.model.name)).window;
    return {
      session: spending,
      day: accounting.today(),
      context: { ...(await meter.size()), ...(window !== undefined && { window }) },
    };
  }

  /** What a model gets as its system prompt. `step` keeps what the agent's prose gives if it holds code. */
  async systemPrompt(step: Step, loaded: LoadedAgent): Promise<string> {
    return (await this.#termsBy(step, loaded)).system;
  }

  #terms(session: Session, loaded: LoadedAgent): Promise<SessionTerms> {
    return this.#termsBy(session.ownStep, loaded);
  }

  async #termsBy(step: Step, { options, host, sources, modules }: LoadedAgent): Promise<SessionTerms> {
    const { schemas } = sources.snapshot().registry;
    const { path: agentDir, definition } = options.directory;
    const changing = { moduleSections: modules.sections(), remembered: this.#parts.memory.read() };
    const identity = await sessionIdentity(definition, step, (program) => host.render(program));
    const { skills } = definition;
    return {
      system: systemPrompt({ identity, skills, agentDir, ...changing, tools: schemas }),
      parts: agentParts({ definition, ...changing, tools: schemas }),
    };
  }

  async #checkPrices({ usd, session, day }: PromptLimits, models: readonly LanguageModel[]): Promise<void> {
    if ([usd, session?.usd, day?.usd].every((limit) => limit === undefined)) return;
    const unpriced = await this.#parts.accounting.unpriced(models);
    if (unpriced) throw new UnknownPriceError(unpriced);
  }
}

interface EffectParts {
  readonly session: Session;
  readonly loaded: LoadedAgent;
  readonly terms: SessionTerms;
  readonly prompt: Prompt;
  /** Not empty. */
  readonly models: readonly LanguageModel[];
  readonly inbox: Inbox;
  readonly journal: PromptJournal;
  /** Whether the prompt is only brought to its end. */
  readonly isGivenUp: boolean;
}

const withCwd = (tools: ToolRegistry, cwd: string): ToolRegistry => ({
  ...tools,
  run: (call, context) => tools.run(call, { ...context, cwd }),
});
