import type { LanguageModel, Message, ToolSchema } from "@mdx-ai/models";
import { dataLayout } from "../layout.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { toolByHand, toolUnasked } from "../permissions/by-hand.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Session } from "../session/session.ts";
import { expandSkillCommand } from "../skills/expand-skill-command.ts";
import { type AgentState, countPrompt } from "../state/agent-state.ts";
import { saveState } from "../state/state-file.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type {
  Agent,
  AgentOptions,
  Clock,
  CommandNote,
  CompactionReport,
  PromptOptions,
  SessionInfo,
} from "../types/agent.ts";
import type { AgentEvent, LeftoverPrompt } from "../types/event.ts";
import type { AddedNote, Memory } from "../types/memory.ts";
import type { PromptObserver } from "../types/prompt-observer.ts";
import type { AgentTool } from "../types/tool.ts";
import { AgentClosedError } from "./agent-closed-error.ts";
import { AgentLogs } from "./agent-logs.ts";
import { CurrentAgent } from "./current-agent.ts";
import { leftovers } from "./leftovers.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { OpenSessions } from "./open-sessions.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { promptSettings } from "./prompt-settings.ts";
import { PromptWorker } from "./prompt-worker.ts";
import { workEvents } from "./work-events.ts";

export interface LocalAgentParts {
  /** Without its modules. */
  readonly loaded: LoadedAgent;
  readonly clock: Clock;
  readonly log: AgentLog;
  /** As it was loaded. */
  readonly state: AgentState;
  /** As in `LoadAgentOptions`. */
  readonly change: (tool: AgentTool) => AgentTool;
  readonly memory: AgentMemory;
  readonly onWarning: (message: string) => void;
  /** What it takes out reaches no file. */
  readonly redactor: Redactor;
  /** Absent where the user asks for none. */
  readonly telemetry?: Telemetry | undefined;
}

/** Whom events of a prompt reach, who is asked, and what ends it. */
interface Told {
  /** Not empty. */
  readonly models: readonly LanguageModel[];
  readonly signal: AbortSignal;
  emit(event: AgentEvent): void;
}

/** What the user says, and its number in the session's queue where it waited there. */
interface Input {
  readonly text: string;
  readonly queued?: number | undefined;
  /** What it is, where an earlier process left it behind. */
  readonly leftover?: LeftoverPrompt;
}

const DEFAULT_SESSION = "main";

/** An agent of this machine: its sessions are folders, its prompts run one at a time. */
export class LocalAgent implements Agent {
  readonly #parts: LocalAgentParts;
  readonly #current: CurrentAgent;
  readonly #logs: AgentLogs;
  readonly #worker: PromptWorker;
  readonly #sessions: OpenSessions;
  readonly #queue = new PromptQueue();
  readonly #closing = new AbortController();
  #state: AgentState;
  #closed: Promise<void> | undefined;

  constructor(parts: LocalAgentParts) {
    const { loaded, clock, onWarning, redactor } = parts;
    const { options } = loaded;
    this.#parts = parts;
    this.#current = new CurrentAgent(loaded, parts);
    this.#state = parts.state;
    this.#logs = new AgentLogs({ ...parts, options, current: () => this.#options });
    this.#worker = new PromptWorker({
      ...parts,
      options,
      observe: (session, model) => this.#observers(session, model),
      loaded: () => this.#current.loaded,
    });
    const directory = dataLayout(options.dataDirectory ?? options.directory.path).sessions;
    const { context: policy } = promptSettings(options);
    const stored = { directory, policy, redactor, now: () => clock.now(), onWarning };
    this.#sessions = new OpenSessions(options.ephemeral ? undefined : stored);
  }

  get name(): string {
    return this.#options.directory.definition.identity.name;
  }

  get model(): LanguageModel {
    return this.#options.model;
  }

  get fallbacks(): readonly LanguageModel[] {
    return this.#options.fallbacks ?? [];
  }

  get tools(): readonly AgentTool[] {
    const { tools, permissions } = this.#current.loaded;
    return tools.map((tool) => toolByHand(tool, permissions));
  }

  get permittedTools(): readonly AgentTool[] {
    const { tools, permissions } = this.#current.loaded;
    return tools.map((tool) => toolUnasked(tool, permissions));
  }

  get toolSchemas(): readonly ToolSchema[] {
    return this.#current.loaded.registry.schemas;
  }

  /** As `CurrentAgent.openModules`. */
  openModules(): Promise<void> {
    return this.#current.openModules(this);
  }

  prompt(text: string, options: PromptOptions = {}): AsyncGenerator<AgentEvent, void, undefined> {
    return this.#told(options, async (told) => {
      const kept = options.isKept && this.#queue.isBusy ? this.#keep(text, options.session) : undefined;
      // Told when its turn comes.
      kept?.catch(() => {});
      let hasBegun = false;
      await this.#inTurn(told.signal, async () => {
        await this.#current.refresh(this, told.signal);
        const input = kept ? await kept : { text: await this.#expanded(text) };
        const session = this.#session(options.session);
        await this.#workOffLeftovers(session, told);
        hasBegun = !told.signal.aborted;
        if (hasBegun) await this.#workOff(session, input, told);
      });
      if (kept && !hasBegun && !this.#closing.signal.aborted) await (await kept).takeBack();
    });
  }

  resume(options: Omit<PromptOptions, "isKept"> = {}): AsyncGenerator<AgentEvent, void, undefined> {
    return this.#told(options, async (told) => {
      await this.#inTurn(told.signal, async () => {
        await this.#current.refresh(this, told.signal);
        await this.#workOffLeftovers(this.#session(options.session), told);
      });
    });
  }

  async leftovers(session?: string): Promise<readonly LeftoverPrompt[]> {
    return leftovers(this.#session(session)).map(({ prompt }) => prompt);
  }

  async steer(text: string, session: string = this.#defaultSession): Promise<boolean> {
    return this.#worker.steer(session, await this.#expanded(text));
  }

  note(command: CommandNote, session?: string): void {
    this.#logs.sessions.note(this.#session(session), command);
  }

  async release(session: string = this.#defaultSession): Promise<void> {
    await this.#inTurn(this.#closing.signal, async () => {
      await this.#logs.sessions.settled();
      this.#sessions.release(session);
    });
  }

  async messages(session?: string): Promise<readonly Message[]> {
    return [...this.#session(session).messages];
  }

  async clear(session?: string): Promise<void> {
    await this.#inTurn(this.#closing.signal, async () => this.#clear(this.#session(session)));
  }

  async compact(session?: string, stop?: AbortSignal): Promise<CompactionReport | undefined> {
    const signal = this.#untilClosing(stop);
    let report: CompactionReport | undefined;
    await this.#inTurn(signal, async () => {
      const whole = this.#session(session);
      const emit = this.#options.onBackgroundEvent ?? ((): void => {});
      await this.#workOffLeftovers(whole, { models: this.#models, signal, emit });
      if (!signal.aborted) report = await this.#worker.compact(whole, this.model, signal);
    });
    return report;
  }

  async info(session?: string): Promise<SessionInfo> {
    return this.#worker.info(this.#session(session), this.model);
  }

  async remember(text: string): Promise<Memory> {
    return this.#memory.remember(text);
  }

  async memories(): Promise<readonly Memory[]> {
    return this.#memory.read().memories;
  }

  async forget(id: string): Promise<Memory | undefined> {
    return this.#memory.forget(id);
  }

  async addNote(text: string): Promise<AddedNote> {
    return this.#memory.addNote(text);
  }

  systemPrompt(): Promise<string> {
    return this.#worker.systemPrompt((_name, run) => run(async () => {}));
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#closing.abort();
    this.#current.loaded.modules.stop();
    await this.#queue.empty();
    await this.#current.loaded.host.close();
    // While the sessions are held: whoever opens one next adds to its log.
    await this.#logs.sessions.settled();
    this.#sessions.close();
    this.#worker.close();
    await this.#parts.memory.settled();
    await this.#logs.settled();
    await this.#parts.telemetry?.settled();
  }

  #untilClosing(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
    return AbortSignal.any([this.#closing.signal, ...signals.filter((signal) => signal !== undefined)]);
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

  #told(
    { model, signal }: PromptOptions,
    work: (told: Told) => Promise<void>,
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const models = model ? [model] : this.#models;
    return workEvents((emit, left) => work({ models, signal: this.#untilClosing(left, signal), emit }));
  }

  async #workOff(session: Session, { text, ...input }: Input, told: Told): Promise<void> {
    await this.#worker.run(session, { input: text, ...input, ...told });
    await this.#saveState();
  }

  /** What was started is not started again. */
  async #workOffLeftovers(session: Session, told: Told): Promise<void> {
    for (const { prompt, queued } of leftovers(session)) {
      if (told.signal.aborted && prompt.state === "queued") return;
      await this.#workOff(session, { text: prompt.input, queued, leftover: prompt }, told);
    }
  }

  /** Writes an input down that has to wait. */
  async #keep(input: string, id: string | undefined): Promise<Input & { takeBack(): Promise<void> }> {
    const text = await this.#expanded(input);
    const session = this.#session(id);
    const queued = await session.enqueue(text);
    return { text, queued, takeBack: () => session.dequeue(queued) };
  }

  #expanded(text: string): Promise<string> {
    const { path: agentDir, definition } = this.#options.directory;
    return expandSkillCommand(text, { skills: definition.skills, agentDir });
  }

  #observers(session: Session, model: LanguageModel): readonly PromptObserver[] {
    const spans = this.#parts.telemetry?.begin({ session: session.id, model });
    return [...this.#logs.observers(session), ...(spans ? [spans] : [])];
  }

  #clear(session: Session): void {
    const { lastPrompt } = session;
    session.clear();
    this.#logs.sessions.clear(session, lastPrompt);
  }

  get #memory(): AgentMemory {
    if (this.#closing.signal.aborted) throw new AgentClosedError();
    return this.#parts.memory;
  }

  get #defaultSession(): string {
    return this.#options.session ?? DEFAULT_SESSION;
  }

  #session(id: string = this.#defaultSession): Session {
    if (this.#closing.signal.aborted) throw new AgentClosedError();
    return this.#sessions.get(id);
  }

  get #models(): readonly LanguageModel[] {
    return [this.model, ...this.fallbacks];
  }

  async #saveState(): Promise<void> {
    const { clock, onWarning } = this.#parts;
    const options = this.#options;
    this.#state = countPrompt(this.#state, clock.now());
    if (!options.ephemeral) await saveState(options.dataDirectory ?? options.directory.path, this.#state, onWarning);
  }

  /** As they are by now. */
  get #options(): AgentOptions {
    return this.#current.options;
  }
}
