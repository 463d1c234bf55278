import type { LanguageModel } from "@mdx-ai/models";
import type { PromptLimits } from "@mdx-ai/parser";
import { RequestMeter } from "../context/request-meter.ts";
import type { PromptRun } from "../loop/prompt-run.ts";
import { runPrompt } from "../loop/run-prompt.ts";
import { Steering } from "../loop/steering.ts";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { permissionGate } from "../permissions/permission-gate.ts";
import { type SystemPromptParts, systemPrompt } from "../prompt/system-prompt.ts";
import { isRecord } from "../record.ts";
import type { AgentParts, PromptJournal, Session } from "../session/session.ts";
import { skillMarks } from "../skills/skill-marks.ts";
import { noSpending, withoutSpending } from "../spending/spending.ts";
import { resumeStep } from "../step-names.ts";
import type { AgentOptions, Clock, CompactionReport, SessionInfo } from "../types/agent.ts";
import type { AgentEvent, LeftoverPrompt, Spending } from "../types/event.ts";
import type { PromptObserver } from "../types/prompt-observer.ts";
import type { Step } from "../types/step.ts";
import { Accounting } from "./accounting.ts";
import { agentParts } from "./agent-parts.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { promptSettings } from "./prompt-settings.ts";
import { promptTime } from "./prompt-time.ts";
import { sessionIdentity } from "./session-identity.ts";
import { UnknownPriceError } from "./unknown-price-error.ts";

export interface PromptWorkerParts {
  /** As the agent was opened. */
  readonly options: AgentOptions;
  readonly clock: Clock;
  /** Who hears what becomes of a prompt that begins in a session. */
  observe(session: Session, model: LanguageModel): readonly PromptObserver[];
  readonly onWarning: (message: string) => void;
  /** What the agent is by now. */
  loaded(): LoadedAgent;
  readonly memory: AgentMemory;
}

/** A prompt whose turn has come. */
interface Prompt {
  /** Not looked at where an interrupted prompt is gone on with. */
  readonly input: string;
  /** The number of the input in the session's queue, where it waited there. */
  readonly queued?: number | undefined;
  /** What it is, where an earlier process left it behind. */
  readonly leftover?: LeftoverPrompt;
  /** Not empty; the first is asked. */
  readonly models: readonly LanguageModel[];
  readonly signal: AbortSignal;
  emit(event: AgentEvent): void;
}

interface Observed {
  readonly observers: readonly PromptObserver[];
}

/** What the prompts of a session have in common. */
type Talk = Pick<PromptRun, "system" | "tools" | "parameters" | "retries" | "limits" | "context" | "skills"> & {
  readonly parts: AgentParts;
};

/** Of the system prompt, what may be another at each prompt. */
type ChangingParts = Pick<SystemPromptParts, "moduleSections" | "remembered">;

/** A prompt that runs, and what takes up what the user says meanwhile. */
interface RunningPrompt {
  readonly session: string;
  readonly steering: Steering;
  readonly journal: PromptJournal;
}

/** How often a later process may go on with a prompt and not come to its next step: what ends each of them must not end all. */
const MAX_FAILED_RESUMES = 3;

/** Works off prompts in open sessions: gives the loop what the agent's files and options say. One at a time. */
export class PromptWorker {
  readonly #parts: PromptWorkerParts;
  readonly #accounting: Accounting;
  #running: RunningPrompt | undefined;

  constructor(parts: PromptWorkerParts) {
    this.#parts = parts;
    this.#accounting = new Accounting(parts);
  }

  /** Rejects with `UnknownPriceError` or `JournalError`. */
  async run(session: Session, prompt: Prompt): Promise<void> {
    const observers = this.#parts.observe(session, prompt.models[0] ?? this.#parts.loaded().options.model);
    const emit = (event: AgentEvent): void => {
      for (const observer of observers) observer.tell(event);
      prompt.emit(event);
    };
    if (prompt.leftover) emit({ type: "prompt_resumed", ...prompt.leftover });
    try {
      await this.#work(session, { ...prompt, emit, observers });
    } catch (error) {
      for (const observer of observers) observer.fail(error);
      throw error;
    }
  }

  /** As `Agent.steer`. */
  async steer(session: string, text: string): Promise<boolean> {
    const running = this.#running;
    if (running?.session !== session) return false;
    const { steering, journal } = running;
    const timestamp = this.#parts.clock.now();
    const isAccepted = await steering.accept(journal.step, {
      role: "user",
      content: [{ type: "text", text }],
      timestamp,
    });
    await journal.sync();
    return isAccepted;
  }

  async #work(session: Session, prompt: Prompt & Observed): Promise<void> {
    const { clock, onWarning } = this.#parts;
    const { interrupted } = session;
    const { parts, ...talk } = await this.#talk(session);
    for (const observer of prompt.observers) observer.prepare?.(talk);
    const signal = this.#mayGoOn(session) ? prompt.signal : AbortSignal.abort();
    if (!signal.aborted) await this.#checkPrices(talk.limits, prompt.models);
    // So that who replays the session later can tell what has changed since.
    if (!Bun.deepEquals(parts, session.agentParts)) await session.setAgentParts(parts);
    const { stop, ...time } = promptTime(clock, talk.limits.seconds, signal);
    const run: Omit<PromptRun, "step" | "recorded" | "steering"> = {
      ...talk,
      ...time,
      models: prompt.models,
      input: prompt.input,
      session: session.id,
      gate: permissionGate({ permissions: this.#parts.loaded().permissions, session: session.id, tools: talk.tools }),
      ...(prompt.queued !== undefined && { queued: prompt.queued }),
      spentBefore: { session: session.spending, day: this.#spentToday(talk.limits, session) },
      now: () => clock.now(),
      spend: (answer) => this.#accounting.spend(answer, { session: session.id, prompt: session.lastPrompt }),
      windowOf: (model) => this.#accounting.windowOf(model),
      onSummary: (answer) => {
        for (const observer of prompt.observers) observer.summarize?.(answer);
      },
      warn: onWarning,
      emit: prompt.emit,
    };
    try {
      const spending = await session.runPrompt(async (journal) => {
        const { step, recorded, conversation } = journal;
        const steering = new Steering(recorded);
        this.#running = { session: session.id, steering, journal };
        if (interrupted) await this.#noteResume(step, interrupted.resumes + 1);
        return runPrompt({ ...run, step, recorded, steering }, conversation);
      }, prompt.queued);
      session.count(spending);
    } finally {
      this.#running = undefined;
      stop();
    }
  }

  /** A prompt that ended each process that went on with it is brought to its end without another try. */
  #mayGoOn({ id, interrupted }: Session): boolean {
    if (interrupted === undefined || interrupted.failedResumes < MAX_FAILED_RESUMES) return true;
    this.#parts.onWarning(
      `session ${id}: prompt ${interrupted.prompt} was interrupted ${MAX_FAILED_RESUMES} times at the same step and is given up; what was done is kept`,
    );
    return false;
  }

  async #noteResume(step: Step, number: number): Promise<void> {
    const note = async (): Promise<unknown> => ({ at: this.#parts.clock.now() });
    await step(resumeStep(number), note, { accepts: isRecord, eager: true });
  }

  /** As `Agent.compact`. */
  async compact(session: Session, model: LanguageModel, signal: AbortSignal): Promise<CompactionReport | undefined> {
    const { clock } = this.#parts;
    const { system, tools, parameters, context, skills } = await this.#talk(session);
    const window = context.window ?? (await this.#accounting.windowOf(model));
    const policy = { ...context, ...(window !== undefined && { window }) };
    const head = { system, tools: tools.schemas };
    const { compactSession } = await import("./compact-session.ts");
    return compactSession(
      session,
      { ...skills, model, parameters, head, policy, signal, now: () => clock.now() },
      (answer) => this.#accounting.spend(answer, { session: session.id, prompt: session.lastPrompt }),
    );
  }

  /** As `Agent.info`. */
  async info(session: Session, model: LanguageModel): Promise<SessionInfo> {
    const { system, tools, context } = await this.#talk(session);
    const { conversation, spending } = session;
    const meter = new RequestMeter({ system, tools: tools.schemas, conversation, policy: context });
    const window = context.window ?? (await this.#accounting.windowOf(model));
    return {
      session: spending,
      day: this.#accounting.today(),
      context: { ...(await meter.size()), ...(window !== undefined && { window }) },
    };
  }

  /** Writes down what is noted only. To be called at the end. */
  close(): void {
    this.#accounting.settle();
  }

  /** What a model gets as its system prompt. `step` keeps what the agent's prose gives when it holds code. */
  systemPrompt(step: Step): Promise<string> {
    return this.#systemPrompt(step, this.#changingParts());
  }

  #changingParts(): ChangingParts {
    const { loaded, memory } = this.#parts;
    return { moduleSections: loaded().modules.sections(), remembered: memory.read() };
  }

  async #systemPrompt(step: Step, changing: ChangingParts): Promise<string> {
    const { options, host, registry } = this.#parts.loaded();
    const { path: agentDir, definition } = options.directory;
    return systemPrompt({
      identity: await sessionIdentity(definition, step, (program) => host.render(program)),
      skills: definition.skills,
      agentDir,
      ...changing,
      tools: registry.schemas,
    });
  }

  async #talk(session: Session): Promise<Talk> {
    const { options, registry: tools } = this.#parts.loaded();
    const { path: agentDir, definition } = options.directory;
    const changing = this.#changingParts();
    const readTool = tools.schemas.find(({ name }) => tools.nameOf(name) === "read_file")?.name ?? "read_file";
    return {
      ...promptSettings(options),
      system: await this.#systemPrompt(session.ownStep, changing),
      tools,
      skills: skillMarks({ skills: definition.skills, agentDir }, readTool),
      parts: agentParts({ definition, ...changing, tools: tools.schemas }),
    };
  }

  /**
   * Looked at only where it counts: to know the day, the time zone must be loaded, which takes longer than all else here.
   * What an interrupted prompt came to is in the ledger already, of this day or of another, and is counted again by the loop.
   */
  #spentToday({ day }: PromptLimits, { interrupted }: Session): Spending {
    if (day === undefined) return noSpending;
    const today = this.#accounting.today();
    return interrupted ? withoutSpending(today, interrupted.spending) : today;
  }

  async #checkPrices({ usd, session, day }: PromptLimits, models: readonly LanguageModel[]): Promise<void> {
    if ([usd, session?.usd, day?.usd].every((limit) => limit === undefined)) return;
    const unpriced = await this.#accounting.unpriced(models);
    if (unpriced) throw new UnknownPriceError(unpriced);
  }
}
