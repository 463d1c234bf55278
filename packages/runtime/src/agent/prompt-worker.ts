import type { LanguageModel } from "@mdx-ai/models";
import type { PromptLimits } from "@mdx-ai/parser";
import { RequestMeter } from "../context/request-meter.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { PromptRun } from "../loop/prompt-run.ts";
import { runPrompt } from "../loop/run-prompt.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import type { Session } from "../session/session.ts";
import { skillMarks } from "../skills/skill-marks.ts";
import { noSpending } from "../spending/spending.ts";
import type { ToolHost } from "../tool-host/tool-host.ts";
import type { AgentOptions, Clock, CompactionReport, SessionInfo } from "../types/agent.ts";
import type { AgentEvent, Spending } from "../types/event.ts";
import type { Step } from "../types/step.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";
import { Accounting } from "./accounting.ts";
import { logEvent } from "./log-event.ts";
import { promptSettings } from "./prompt-settings.ts";
import { promptTime } from "./prompt-time.ts";
import { sessionIdentity } from "./session-identity.ts";
import type { SessionLog } from "./session-log.ts";
import { UnknownPriceError } from "./unknown-price-error.ts";

export interface PromptWorkerParts {
  readonly options: AgentOptions;
  readonly clock: Clock;
  readonly log: AgentLog;
  readonly sessionLog: SessionLog;
  readonly host: ToolHost;
  readonly onWarning: (message: string) => void;
  /** The tools that there are by now. */
  tools(): ToolRegistry;
  /** What modules add to the system prompt. */
  moduleSections(): readonly string[];
}

/** A prompt whose turn has come. */
interface Prompt {
  readonly input: string;
  /** Not empty; the first is asked. */
  readonly models: readonly LanguageModel[];
  readonly signal: AbortSignal;
  emit(event: AgentEvent): void;
}

/** What the prompts of a session have in common. */
type Talk = Pick<PromptRun, "system" | "tools" | "parameters" | "retries" | "limits" | "context" | "skills">;

/** Works off prompts in open sessions: gives the loop what the agent's files and options say. One at a time. */
export class PromptWorker {
  readonly #parts: PromptWorkerParts;
  readonly #accounting: Accounting;

  constructor(parts: PromptWorkerParts) {
    this.#parts = parts;
    this.#accounting = new Accounting(parts);
  }

  /** Rejects with `UnknownPriceError` or `JournalError`. */
  async run(session: Session, prompt: Prompt): Promise<void> {
    const { log, sessionLog } = this.#parts;
    const promptLog = sessionLog.begin(session);
    const emit = (event: AgentEvent): void => {
      logEvent(log, session, event);
      promptLog.tell(event);
      prompt.emit(event);
    };
    try {
      await this.#work(session, { ...prompt, emit });
    } catch (error) {
      promptLog.fail(error);
      throw error;
    }
  }

  async #work(session: Session, prompt: Prompt): Promise<void> {
    const { clock, onWarning } = this.#parts;
    const talk = await this.#talk(session);
    if (!prompt.signal.aborted) await this.#checkPrices(talk.limits, prompt.models);
    const { stop, ...time } = promptTime(clock, talk.limits.seconds, prompt.signal);
    const run: Omit<PromptRun, "step" | "recorded"> = {
      ...talk,
      ...time,
      models: prompt.models,
      input: prompt.input,
      spentBefore: { session: session.spending, day: this.#spentToday(talk.limits, session) },
      now: () => clock.now(),
      spend: (answer) => this.#accounting.spend(answer, { session: session.id, prompt: session.lastPrompt }),
      windowOf: (model) => this.#accounting.windowOf(model),
      warn: onWarning,
      emit: prompt.emit,
    };
    try {
      const spending = await session.runPrompt((step, conversation, recorded) =>
        runPrompt({ ...run, step, recorded }, conversation),
      );
      session.count(spending);
    } finally {
      stop();
    }
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
  async systemPrompt(step: Step): Promise<string> {
    const { options, host, tools, moduleSections } = this.#parts;
    const { path: agentDir, definition } = options.directory;
    return systemPrompt({
      identity: await sessionIdentity(definition, step, (program) => host.render(program)),
      skills: definition.skills,
      agentDir,
      moduleSections: moduleSections(),
      tools: tools().schemas,
    });
  }

  async #talk(session: Session): Promise<Talk> {
    const { options } = this.#parts;
    const { path: agentDir, definition } = options.directory;
    const tools = this.#parts.tools();
    const readTool = tools.schemas.find(({ name }) => tools.nameOf(name) === "read_file")?.name ?? "read_file";
    return {
      ...promptSettings(options),
      system: await this.systemPrompt(session.ownStep),
      tools,
      skills: skillMarks({ skills: definition.skills, agentDir }, readTool),
    };
  }

  /**
   * Looked at only where it counts: to know the day, the time zone must be loaded, which takes longer than all else here.
   * What an interrupted prompt came to is in the ledger already and must not count twice.
   */
  #spentToday({ day }: PromptLimits, { isInterrupted }: Session): Spending {
    return day === undefined || isInterrupted ? noSpending : this.#accounting.today();
  }

  async #checkPrices({ usd, session, day }: PromptLimits, models: readonly LanguageModel[]): Promise<void> {
    if ([usd, session?.usd, day?.usd].every((limit) => limit === undefined)) return;
    const unpriced = await this.#accounting.unpriced(models);
    if (unpriced) throw new UnknownPriceError(unpriced);
  }
}
