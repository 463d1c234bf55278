import type { LanguageModel, Message, ToolSchema } from "@mdx-ai/models";
import { EventChannel, leavable } from "../hosts/event-channel.ts";
import { dataLayout } from "../layout.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { toolByHand, toolUnasked } from "../permissions/by-hand.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Session } from "../session/session.ts";
import { expandSkillCommand } from "../skills/expand-skill-command.ts";
import { type AgentState, countPrompt, saveState } from "../state/agent-state.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type {
  Agent,
  AgentOptions,
  Clock,
  CommandNote,
  CompactionReport,
  EventsOptions,
  PromptOptions,
  SessionInfo,
  SubmitOptions,
} from "../types/agent.ts";
import type { AgentEvent, LeftoverPrompt } from "../types/event.ts";
import type { AddedNote, Memory } from "../types/memory.ts";
import type { PromptObserver } from "../types/prompt-observer.ts";
import type { AgentTool } from "../types/tool.ts";
import { Accounting } from "./accounting.ts";
import { AgentClosedError } from "./agent-closed-error.ts";
import { AgentLogs } from "./agent-logs.ts";
import { CurrentAgent } from "./current-agent.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { PromptRunner } from "./prompt-runner.ts";
import type { SessionActor, Submission } from "./session-actor.ts";
import { SessionActors } from "./session-actors.ts";

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
  /** Absent if the user asks for none. */
  readonly telemetry?: Telemetry | undefined;
}

const DEFAULT_SESSION = "main";

/** An agent of this machine: its sessions are folders, and run side by side. */
export class LocalAgent implements Agent {
  readonly #parts: LocalAgentParts;
  readonly #current: CurrentAgent;
  readonly #logs: AgentLogs;
  readonly #accounting: Accounting;
  readonly #runner: PromptRunner;
  readonly #actors: SessionActors;
  readonly #closing = new AbortController();
  #state: AgentState;
  #closed: Promise<void> | undefined;

  constructor(parts: LocalAgentParts) {
    const { loaded, clock, onWarning, redactor } = parts;
    const { options } = loaded;
    this.#parts = parts;
    this.#current = new CurrentAgent(loaded, this, parts);
    this.#state = parts.state;
    this.#logs = new AgentLogs({ ...parts, options, current: () => this.#options });
    this.#accounting = new Accounting({ options: () => this.#options, clock, onWarning });
    this.#runner = new PromptRunner({
      ...parts,
      closing: this.#closing.signal,
      accounting: this.#accounting,
      observe: (session, model) => this.#observers(session, model),
    });
    const directory = dataLayout(options.dataDirectory ?? options.directory.path).sessions;
    this.#actors = new SessionActors({
      current: this.#current,
      runner: this.#runner,
      closing: this.#closing.signal,
      stored: options.ephemeral ? undefined : { directory, redactor, now: () => clock.now(), onWarning },
      expand: (text) => this.#expanded(text),
      onEnd: () => this.#saveState(),
      now: () => clock.now(),
    });
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
    const { sources, permissions } = this.#current.loaded;
    return sources.snapshot().tools.map((tool) => toolByHand(tool, permissions));
  }

  get permittedTools(): readonly AgentTool[] {
    const { sources, permissions } = this.#current.loaded;
    return sources.snapshot().tools.map((tool) => toolUnasked(tool, permissions));
  }

  get toolSchemas(): readonly ToolSchema[] {
    return this.#current.loaded.sources.snapshot().registry.schemas;
  }

  /** As `CurrentAgent.openModules`. */
  openModules(): Promise<void> {
    return this.#current.openModules();
  }

  async submit(text: string, options: SubmitOptions = {}): Promise<string> {
    const { key: id = crypto.randomUUID(), session, cwd, model } = options;
    const actor = this.#actor(session);
    if (cwd !== undefined) actor.cwd = cwd;
    await actor.submit({ text, id, model, signal: NEVER }, (error) => {
      this.#parts.log.note(`prompt ${id} of session ${actor.id} failed: ${String(error)}`);
    });
    return id;
  }

  events(session?: string, options: EventsOptions = {}): AsyncIterable<AgentEvent> {
    return this.#actor(session).events.read(options);
  }

  async cancel(prompt: string, session?: string): Promise<boolean> {
    return this.#actor(session).cancel(prompt);
  }

  prompt(text: string, options: PromptOptions = {}): AsyncIterable<AgentEvent> {
    const { session, model, signal = NEVER, isKept = false, cwd } = options;
    return eventsOf((emit) => {
      const actor = this.#actor(session);
      if (cwd !== undefined) actor.cwd = cwd;
      return actor.run({ text, id: crypto.randomUUID(), model, isKept, signal, emit });
    });
  }

  resume(options: Omit<PromptOptions, "isKept"> = {}): AsyncIterable<AgentEvent> {
    const { session, model, signal = NEVER } = options;
    return eventsOf((emit) => this.#actor(session).resume({ model, signal, emit }));
  }

  async leftovers(session?: string): Promise<readonly LeftoverPrompt[]> {
    return this.#actor(session).leftovers();
  }

  async steer(text: string, session?: string): Promise<boolean> {
    return this.#actor(session).steer(await this.#expanded(text));
  }

  note(command: CommandNote, session?: string): void {
    this.#logs.sessions.note(this.#session(session), command);
  }

  async release(session?: string): Promise<void> {
    await this.#actors.release(session ?? this.#defaultSession, () => this.#logs.sessions.settled());
  }

  async messages(session?: string): Promise<readonly Message[]> {
    return [...this.#session(session).messages];
  }

  async clear(session?: string): Promise<void> {
    const actor = this.#actor(session);
    await actor.inTurn(async () => {
      const whole = actor.session;
      const { lastPrompt } = whole;
      whole.clear();
      actor.events.clear();
      this.#logs.sessions.clear(whole, lastPrompt);
    });
  }

  async compact(session?: string, signal: AbortSignal = NEVER): Promise<CompactionReport | undefined> {
    return this.#actor(session).compact(signal, this.#options.onBackgroundEvent ?? ((): void => {}));
  }

  async info(session?: string): Promise<SessionInfo> {
    return this.#runner.info(this.#session(session), this.#current.loaded);
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
    return this.#runner.systemPrompt(
      (_name, run) => run({ signal: NEVER, flushed: async () => {} }),
      this.#current.loaded,
    );
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#closing.abort(new AgentClosedError("the agent was closed before the prompt ended"));
    this.#current.loaded.modules.stop();
    await this.#actors.settled();
    await this.#current.close();
    // While the sessions are held: the next process that opens one adds to its log.
    await this.#logs.sessions.settled();
    this.#actors.close();
    this.#accounting.settle();
    await this.#parts.memory.settled();
    await this.#logs.settled();
    await this.#parts.telemetry?.settled();
  }

  #expanded(text: string): Promise<string> {
    const { path: agentDir, definition } = this.#options.directory;
    return expandSkillCommand(text, { skills: definition.skills, agentDir });
  }

  #observers(session: Session, model: LanguageModel): readonly PromptObserver[] {
    const spans = this.#parts.telemetry?.begin({ session: session.id, model });
    return [...this.#logs.observers(session), ...(spans ? [spans] : [])];
  }

  get #memory(): AgentMemory {
    if (this.#closing.signal.aborted) throw new AgentClosedError();
    return this.#parts.memory;
  }

  get #defaultSession(): string {
    return this.#options.session ?? DEFAULT_SESSION;
  }

  #actor(id: string = this.#defaultSession): SessionActor {
    return this.#actors.get(id);
  }

  #session(id?: string): Session {
    return this.#actor(id).session;
  }

  #saveState(): void {
    const { clock, onWarning } = this.#parts;
    const options = this.#options;
    this.#state = countPrompt(this.#state, clock.now());
    if (!options.ephemeral) saveState(options.dataDirectory ?? options.directory.path, this.#state, onWarning);
  }

  /** As they are now. */
  get #options(): AgentOptions {
    return this.#current.options;
  }
}

const NEVER: AbortSignal = new AbortController().signal;

/** The events of work that continues whether or not they are read. Throws what it rejects with. */
function eventsOf(work: (emit: Submission["emit"]) => Promise<void>): AsyncIterable<AgentEvent> {
  const channel = new EventChannel();
  return leavable(
    channel.events(() => work((event) => channel.send(event))),
    () => channel.drop(),
  );
}
