import { join } from "node:path";
import type { LanguageModel, Message, ToolSchema } from "@mdx-ai/models";
import type { AgentIdentity, PromptLimits } from "@mdx-ai/parser";
import { RequestMeter } from "../context/request-meter.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { PromptRun } from "../loop/prompt-run.ts";
import { runPrompt } from "../loop/run-prompt.ts";
import type { LoadedModules } from "../modules/loaded-modules.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import type { Session } from "../session/session.ts";
import { expandSkillCommand } from "../skills/expand-skill-command.ts";
import { skillMarks } from "../skills/skill-marks.ts";
import { type AgentState, countPrompt } from "../state/agent-state.ts";
import { saveState } from "../state/state-file.ts";
import type { ToolHost } from "../tool-host/tool-host.ts";
import type { Agent, AgentOptions, Clock, CompactionReport, PromptOptions, SessionInfo } from "../types/agent.ts";
import type { AgentEvent } from "../types/event.ts";
import type { Step } from "../types/step.ts";
import type { AgentTool } from "../types/tool.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";
import { Accounting } from "./accounting.ts";
import { AgentClosedError } from "./agent-closed-error.ts";
import { compactSession } from "./compact-session.ts";
import { EventChannel } from "./event-channel.ts";
import { logEvent } from "./log-event.ts";
import { OpenSessions } from "./open-sessions.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { promptSettings } from "./prompt-settings.ts";
import { promptTime } from "./prompt-time.ts";
import { sessionIdentity } from "./session-identity.ts";
import { toolRegistry } from "./tool-registry.ts";
import { UnknownPriceError } from "./unknown-price-error.ts";

export interface LocalAgentParts {
  readonly options: AgentOptions;
  readonly clock: Clock;
  readonly log: AgentLog;
  /** As it was loaded. */
  readonly state: AgentState;
  readonly host: ToolHost;
  readonly tools: readonly AgentTool[];
  readonly onWarning: (message: string) => void;
}

/** A prompt whose turn has come. */
interface Prompt {
  readonly input: string;
  readonly models: readonly LanguageModel[];
  readonly signal: AbortSignal;
  emit(event: AgentEvent): void;
}

/** What the prompts of a session have in common. */
type Talk = Pick<PromptRun, "system" | "tools" | "parameters" | "retries" | "limits" | "context" | "skills">;

const DEFAULT_SESSION = "main";

/** An agent of this machine: its sessions are folders, its prompts run one at a time. */
export class LocalAgent implements Agent {
  readonly name: string;
  readonly model: LanguageModel;
  readonly fallbacks: readonly LanguageModel[];
  readonly #parts: LocalAgentParts;
  readonly #sessions: OpenSessions;
  readonly #queue = new PromptQueue();
  readonly #closing = new AbortController();
  readonly #accounting: Accounting;
  #tools: readonly AgentTool[];
  #registry: ToolRegistry;
  #modules: LoadedModules | undefined;
  #state: AgentState;
  #closed: Promise<void> | undefined;

  constructor(parts: LocalAgentParts) {
    const { options, clock, onWarning } = parts;
    this.name = options.directory.definition.identity.name;
    this.model = options.model;
    this.fallbacks = options.fallbacks ?? [];
    this.#parts = parts;
    this.#accounting = new Accounting(parts);
    this.#state = parts.state;
    this.#tools = parts.tools;
    this.#registry = this.#buildRegistry();
    const directory = join(options.directory.path, "sessions");
    this.#sessions = new OpenSessions(options.ephemeral ? undefined : { directory, now: () => clock.now(), onWarning });
  }

  get tools(): readonly AgentTool[] {
    return this.#tools;
  }

  get toolSchemas(): readonly ToolSchema[] {
    return this.#registry.schemas;
  }

  /** Takes in modules that are initialized, and starts them. */
  async use(modules: LoadedModules): Promise<void> {
    this.#modules = modules;
    this.#tools = [...this.#parts.tools, ...modules.tools];
    this.#registry = this.#buildRegistry();
    await modules.start();
  }

  async *prompt(text: string, options: PromptOptions = {}): AsyncGenerator<AgentEvent, void, undefined> {
    const left = new AbortController();
    const signal = AbortSignal.any([left.signal, this.#closing.signal, ...(options.signal ? [options.signal] : [])]);
    const channel = new EventChannel();
    // The work does not wait for whoever reads: one who stops reading must not hold up the prompts behind.
    const working = this.#inTurn(signal, async () => {
      const { path: agentDir, definition } = this.#parts.options.directory;
      const input = await expandSkillCommand(text, { skills: definition.skills, agentDir });
      const session = this.#session(options.session);
      if (session.isInterrupted) await this.#closeInterrupted(session);
      const models = options.model ? [options.model] : this.#models;
      await this.#run(session, { input, models, signal, emit: (event) => channel.send(event) });
    });
    const end = (): void => channel.end();
    working.then(end, end);
    try {
      yield* channel.events();
    } finally {
      left.abort();
      await working;
    }
  }

  async messages(session?: string): Promise<readonly Message[]> {
    return this.#session(session).messages;
  }

  async clear(session?: string): Promise<void> {
    await this.#inTurn(this.#closing.signal, async () => this.#session(session).clear());
  }

  async compact(id?: string, signal?: AbortSignal): Promise<CompactionReport | undefined> {
    const stopped = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    let compaction: CompactionReport | undefined;
    await this.#inTurn(stopped, async () => {
      const session = this.#session(id);
      if (session.isInterrupted) await this.#closeInterrupted(session);
      const { system, tools, parameters, context, skills } = await this.#talk(session);
      const window = context.window ?? (await this.#accounting.windowOf(this.model));
      compaction = await compactSession(
        session,
        {
          ...skills,
          model: this.model,
          parameters,
          head: { system, tools: tools.schemas },
          policy: { ...context, ...(window !== undefined && { window }) },
          signal: stopped,
          now: () => this.#parts.clock.now(),
        },
        (answer) => this.#accounting.spend(answer, { session: session.id, prompt: session.lastPrompt }),
      );
    });
    return compaction;
  }

  async info(id?: string): Promise<SessionInfo> {
    const session = this.#session(id);
    const { system, tools, context } = await this.#talk(session);
    const { conversation, spending } = session;
    const meter = new RequestMeter({ system, tools: tools.schemas, conversation, policy: context });
    const window = context.window ?? (await this.#accounting.windowOf(this.model));
    return {
      session: spending,
      day: this.#accounting.today(),
      context: { ...(await meter.size()), ...(window !== undefined && { window }) },
    };
  }

  async systemPrompt(): Promise<string> {
    const once: Step = (_name, run) => run(async () => {});
    return this.#systemPrompt(await this.#identity(once));
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#closing.abort();
    this.#modules?.stop();
    await this.#queue.empty();
    await this.#parts.host.close();
    this.#sessions.close();
    await this.#parts.log.settled();
  }

  /** Does work when all that came before is done. Where `signal` fires before that, nothing is done. */
  async #inTurn(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const leave = await this.#queue.enter(signal);
    try {
      if (this.#closing.signal.aborted) throw new AgentClosedError();
      if (!signal.aborted) await work();
    } finally {
      leave();
    }
  }

  #session(id = this.#parts.options.session ?? DEFAULT_SESSION): Session {
    if (this.#closing.signal.aborted) throw new AgentClosedError();
    return this.#sessions.get(id);
  }

  /** A prompt that a crash cut short is brought to a valid end: what was started is not started again. */
  async #closeInterrupted(session: Session): Promise<void> {
    this.#parts.onWarning(
      `session ${session.id}: prompt ${session.lastPrompt} was interrupted; what had been done is kept, nothing is done twice`,
    );
    const stopped = { signal: AbortSignal.abort(), emit: () => {} };
    await this.#run(session, { input: "", models: this.#models, ...stopped });
  }

  async #run(session: Session, prompt: Prompt): Promise<void> {
    const { clock, log, onWarning } = this.#parts;
    const talk = await this.#talk(session);
    if (!prompt.signal.aborted) await this.#checkPrices(talk.limits, prompt.models);
    const { stop, ...time } = promptTime(clock, talk.limits.seconds, prompt.signal);
    const spending = await session.runPrompt((step, conversation) =>
      runPrompt(
        {
          ...talk,
          ...time,
          step,
          models: prompt.models,
          input: prompt.input,
          spentBefore: { session: session.spending, day: this.#accounting.today() },
          now: () => clock.now(),
          spend: (answer) => this.#accounting.spend(answer, { session: session.id, prompt: session.lastPrompt }),
          windowOf: (model) => this.#accounting.windowOf(model),
          warn: onWarning,
          emit: (event) => {
            logEvent(log, session, event);
            prompt.emit(event);
          },
        },
        conversation,
      ).finally(stop),
    );
    session.count(spending);
    await this.#saveState();
  }

  /** What all prompts and summaries of a session have in common. */
  async #talk(session: Session): Promise<Talk> {
    const { options } = this.#parts;
    const { path: agentDir, definition } = options.directory;
    const tools = this.#registry;
    const readTool = tools.schemas.find(({ name }) => tools.nameOf(name) === "read_file")?.name ?? "read_file";
    return {
      ...promptSettings(options),
      system: this.#systemPrompt(await this.#identity(session.ownStep)),
      tools,
      skills: skillMarks({ skills: definition.skills, agentDir }, readTool),
    };
  }

  /** Rejects with `UnknownPriceError`. */
  async #checkPrices({ usd, session, day }: PromptLimits, models: readonly LanguageModel[]): Promise<void> {
    if ([usd, session?.usd, day?.usd].every((limit) => limit === undefined)) return;
    const unpriced = await this.#accounting.unpriced(models);
    if (unpriced) throw new UnknownPriceError(unpriced);
  }

  get #models(): readonly LanguageModel[] {
    return [this.model, ...this.fallbacks];
  }

  async #saveState(): Promise<void> {
    const { options, clock, onWarning } = this.#parts;
    this.#state = countPrompt(this.#state, clock.now());
    if (!options.ephemeral) await saveState(options.directory.path, this.#state, onWarning);
  }

  #identity(step: Step): Promise<AgentIdentity> {
    const { options, host } = this.#parts;
    return sessionIdentity(options.directory.definition, step, (program) => host.render(program));
  }

  #systemPrompt(identity: AgentIdentity): string {
    const { path: agentDir, definition } = this.#parts.options.directory;
    return systemPrompt({
      identity,
      skills: definition.skills,
      agentDir,
      moduleSections: this.#modules?.sections() ?? [],
      tools: this.#registry.schemas,
    });
  }

  #buildRegistry(): ToolRegistry {
    const { options, log } = this.#parts;
    return toolRegistry(this.#tools, {
      agentDir: options.directory.path,
      cwd: options.cwd,
      log: (message) => log.write(message),
    });
  }
}
