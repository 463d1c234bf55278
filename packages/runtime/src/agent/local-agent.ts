import { dataLayout, type Redactor } from "@mdx-ai/base";
import { realPlaceOrSame } from "@mdx-ai/base/disk";
import type { AssistantMessage, ImageContent, LanguageModel, Message, ToolSchema } from "@mdx-ai/models";
import type { PermissionMode } from "@mdx-ai/parser";
import { EventChannel, leavable } from "../hosts/event-channel.ts";
import { isEventId } from "../hosts/event-numbers.ts";
import { lineMarks } from "../journal/line-marks.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { Step } from "../loop/host.ts";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { toolByHand, toolUnasked } from "../permissions/guarded-tool.ts";
import { lastingAccesses } from "../permissions/sandbox-openings.ts";
import type { Session } from "../session/session.ts";
import { choiceFor } from "../skills/skill-choices.ts";
import { requireSkill } from "../skills/skills.ts";
import { type AgentState, countPrompt, saveState } from "../state/agent-state.ts";
import type { Telemetry } from "../telemetry/open-telemetry.ts";
import type {
  Agent,
  AgentSkill,
  AttachedFile,
  CommandNote,
  EventsOptions,
  PromptOptions,
  SessionInfo,
  SubmitOptions,
  UserCommand,
  UserCommandEnd,
} from "../types/agent.ts";
import type { Checkpoint, TakeBackOptions, TakenBack } from "../types/checkpoint.ts";
import type { AgentEvent, CompactionReport, PendingPrompt, PromptObserver } from "../types/event.ts";
import type { AgentServer } from "../types/mcp.ts";
import type { AddedNote, Memory } from "../types/memory.ts";
import type { AttachedProcess, SandboxDescription } from "../types/sandbox.ts";
import type { AgentTool, ToolResult } from "../types/tool.ts";
import type { ToolOrigin } from "../types/tool-origin.ts";
import { Accounting } from "./accounting.ts";
import { AgentClosedError } from "./agent-closed-error.ts";
import { AgentLogs } from "./agent-logs.ts";
import { CurrentAgent } from "./current-agent.ts";
import { describeSandbox } from "./describe-sandbox.ts";
import { type LoadedAgent, type OpenOptions, toolsFolder } from "./load-agent.ts";
import { PromptRunner } from "./prompt-runner.ts";
import type { SessionActor, Submission } from "./session-actor.ts";
import { SessionActors } from "./session-actors.ts";
import type { ContextParts } from "./session-context.ts";
import { agentSkills, type SessionOffer, sessionOffer } from "./session-offer.ts";
import { sessionTerms } from "./session-terms.ts";

export interface LocalAgentParts {
  /** Without its modules. */
  readonly loaded: LoadedAgent;
  readonly log: AgentLog;
  /** As it was loaded. */
  readonly state: AgentState | undefined;
  /** As in `LoadAgentOptions`. */
  readonly change: (tool: AgentTool) => AgentTool;
  readonly memory: AgentMemory;
  /** What it takes out reaches no file. */
  readonly redactor: Redactor;
  /** Absent if the user asks for none. */
  readonly telemetry?: Telemetry | undefined;
}

const DEFAULT_SESSION = "main";

/** The place of usage that belongs to no prompt, in the usage log. No session can have this name. */
const OUTSIDE_OF_PROMPTS = { session: "(memory)", prompt: 0 };

/** An agent of this machine: its sessions are folders, and run side by side. */
export class LocalAgent implements Agent {
  readonly #parts: LocalAgentParts;
  readonly #current: CurrentAgent;
  readonly #logs: AgentLogs;
  readonly #accounting: Accounting;
  readonly #actors: SessionActors;
  readonly #closing = new AbortController();
  #state: AgentState | undefined;
  #closed: Promise<void> | undefined;

  constructor(parts: LocalAgentParts) {
    const { loaded, redactor, memory } = parts;
    const { dataDirectory, ephemeral, clock, onWarning, journalKey } = loaded.options;
    const options = (): OpenOptions => this.#options;
    this.#parts = parts;
    this.#current = new CurrentAgent(loaded, this, { ...parts, spend: (answer) => this.#spend(answer) });
    this.#state = parts.state;
    this.#logs = new AgentLogs({ ...parts, options });
    this.#accounting = new Accounting(options);
    const runner = new PromptRunner({
      memory,
      closing: this.#closing.signal,
      accounting: this.#accounting,
      observe: (session, model) => this.#observers(session, model),
    });
    const directory = dataLayout(dataDirectory).sessions;
    const marks =
      journalKey === undefined ? undefined : lineMarks(journalKey, realPlaceOrSame(loaded.options.directory.path));
    this.#actors = new SessionActors({
      current: this.#current,
      runner,
      closing: this.#closing.signal,
      stored: ephemeral ? undefined : { directory, redactor, marks, now: () => clock.now(), onWarning },
      onEnd: () => this.#saveState(),
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

  toolOrigins(session?: string): ReadonlyMap<string, ToolOrigin> {
    const { planned } = this.#offer(session).snapshot.registry;
    return new Map(planned.map(({ name, origin }) => [name, origin]));
  }

  get permittedTools(): readonly AgentTool[] {
    const { sources, permissions } = this.#current.loaded;
    const { tools, originOf } = sources.snapshot();
    return tools.map((tool) => toolUnasked(tool, originOf(tool), permissions));
  }

  get servers(): readonly AgentServer[] {
    return this.#current.loaded.servers.all;
  }

  get mode(): PermissionMode {
    return this.#current.loaded.permissions.mode;
  }

  modeOf(session?: string): PermissionMode {
    const { permissions } = this.#current.loaded;
    const opened = this.#actors.opened(session ?? this.#defaultSession);
    return opened === undefined ? permissions.mode : permissions.modeOf(opened.key);
  }

  setMode(mode: PermissionMode): void {
    this.#current.loaded.permissions.chooseMode(mode);
  }

  get toolSchemas(): readonly ToolSchema[] {
    return sessionOffer(this.#current.loaded).snapshot.registry.schemas;
  }

  /** As `CurrentAgent.openModules`. */
  openModules(): Promise<void> {
    return this.#current.openModules();
  }

  async submit(text: string, options: SubmitOptions = {}): Promise<string> {
    const { key: id = crypto.randomUUID(), session, cwd, model, images } = options;
    if (id === "") throw new TypeError("the key of a prompt must not be empty; leave it out to get a new one");
    const actor = this.#actor(session);
    if (cwd !== undefined) actor.cwd = cwd;
    await actor.submit({ text, images, id, model, signal: NEVER }, (error) => {
      this.#parts.log.note(`prompt ${id} of session ${actor.id} failed: ${String(error)}`);
    });
    return id;
  }

  events(session?: string, options: EventsOptions = {}): AsyncIterable<AgentEvent> {
    const { after } = options;
    if (after !== undefined && !isEventId(after)) {
      throw new TypeError(
        `${JSON.stringify(after)} is no id of an event; give one such as "3.7", or "0.0" for all events`,
      );
    }
    return this.#actor(session).events.read(options);
  }

  async cancel(prompt: string, session?: string): Promise<boolean> {
    return this.#actor(session).cancel(prompt);
  }

  prompt(text: string, options: PromptOptions = {}): AsyncIterable<AgentEvent> {
    const { session, model, signal = NEVER, isKept = false, cwd, images } = options;
    return eventsOf((emit) => {
      const actor = this.#actor(session);
      if (cwd !== undefined) actor.cwd = cwd;
      return actor.run({ text, images, id: crypto.randomUUID(), model, isKept, signal, emit });
    });
  }

  resume(options: Omit<PromptOptions, "isKept"> = {}): AsyncIterable<AgentEvent> {
    const { session, model, signal = NEVER } = options;
    return eventsOf((emit) => this.#actor(session).resume({ model, signal, emit }));
  }

  async pendingPrompts(session?: string): Promise<readonly PendingPrompt[]> {
    return this.#actor(session).pendingPrompts();
  }

  async steer(text: string, session?: string, images?: readonly ImageContent[]): Promise<boolean> {
    return this.#actor(session).steer(text, images);
  }

  note(command: CommandNote, session?: string): void {
    this.#logs.sessions.note(this.#session(session), command);
  }

  async release(session?: string): Promise<void> {
    const id = session ?? this.#defaultSession;
    const key = this.#actors.opened(id)?.key;
    await this.#actors.release(id, () => this.#logs.sessions.settled());
    if (key !== undefined) this.#options.programModules?.onSessionEnd?.(key);
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

  async skills(session?: string): Promise<readonly AgentSkill[]> {
    return agentSkills(this.#current.loaded, this.#session(session).skills);
  }

  async enableSkill(name: string, session?: string): Promise<void> {
    await this.#chooseSkill(name, true, session);
  }

  async disableSkill(name: string, session?: string): Promise<void> {
    await this.#chooseSkill(name, false, session);
  }

  async #chooseSkill(name: string, enabled: boolean, session: string | undefined): Promise<void> {
    await requireSkill(name, this.#options.directory.definition.skills);
    const chosen = this.#session(session);
    chosen.chooseSkills(choiceFor(name, enabled, chosen.skills));
  }

  async checkpoints(session?: string): Promise<readonly Checkpoint[]> {
    const { listCheckpoints } = await import("./take-back.ts");
    return listCheckpoints(this.#session(session));
  }

  undo(session?: string, options: TakeBackOptions = {}): Promise<TakenBack | undefined> {
    return this.#takeBack(session, options);
  }

  rewind(prompt: number, session?: string, options: TakeBackOptions = {}): Promise<TakenBack | undefined> {
    return this.#takeBack(session, { ...options, prompt });
  }

  async #takeBack(
    session: string | undefined,
    options: TakeBackOptions & { readonly prompt?: number },
  ): Promise<TakenBack | undefined> {
    const actor = this.#actor(session);
    let taken: TakenBack | undefined;
    await actor.inTurn(async () => {
      const { takeBack } = await import("./take-back.ts");
      const { files } = this.#current.loaded;
      taken = await takeBack(actor.session, options);
      files.forget(actor.id);
      // Later readers get the events that the journal has.
      actor.events.clear();
    });
    return taken;
  }

  async compact(
    session?: string,
    signal: AbortSignal = NEVER,
    model?: LanguageModel,
  ): Promise<CompactionReport | undefined> {
    const emit = this.#options.onBackgroundEvent ?? ((): void => {});
    const actor = this.#actor(session);
    let report: CompactionReport | undefined;
    await actor.afterPending({ signal, emit }, async (loaded, stop) => {
      const { compactSession } = await import("./session-context.ts");
      report = await compactSession({ ...this.#context(actor, loaded), model }, stop);
    });
    return report;
  }

  async info(session?: string, model?: LanguageModel): Promise<SessionInfo> {
    const { sessionInfo } = await import("./session-context.ts");
    return sessionInfo({ ...this.#context(this.#actor(session), this.#current.loaded), model });
  }

  async remember(text: string): Promise<Memory> {
    return this.#memory.remember(text);
  }

  async memories(): Promise<readonly Memory[]> {
    return (await this.#memory.read()).memories;
  }

  async forget(id: string): Promise<Memory | undefined> {
    return this.#memory.forget(id);
  }

  async addNote(text: string): Promise<AddedNote> {
    return this.#memory.addNote(text);
  }

  describeSandbox(): Promise<SandboxDescription> {
    const { sandbox, permissions } = this.#current.loaded;
    const { tools } = this.#options.directory.definition;
    return describeSandbox({ sandbox, tools, opened: lastingAccesses({ permissions, tool: "bash" }) });
  }

  async attachCommand(command: readonly string[]): Promise<AttachedProcess> {
    const { attachCommand } = await import("../tools/user-command.ts");
    const { environment } = this.#options;
    const { sandbox, permissions } = this.#current.loaded;
    const opened = lastingAccesses({ permissions, tool: "bash" });
    return attachCommand({ environment, sandbox }, { command, cwd: toolsFolder(this.#options), opened });
  }

  async runCommand(command: UserCommand): Promise<UserCommandEnd> {
    const { runUserCommand } = await import("../tools/user-command.ts");
    const { environment } = this.#options;
    const { sandbox, permissions } = this.#current.loaded;
    const opened = lastingAccesses({ permissions, tool: "bash" });
    return runUserCommand({ ...command, environment, sandbox, cwd: toolsFolder(this.#options), opened });
  }

  async readAttachment(
    file: AttachedFile,
    confirm: (reason: string) => Promise<boolean>,
    session: string = this.#defaultSession,
  ): Promise<ToolResult | string> {
    const { permissions, files } = this.#current.loaded;
    const { readAttachment } = await import("./read-attachment.ts");
    const place = { agentDir: this.#options.directory.path, cwd: toolsFolder(this.#options) };
    return readAttachment(file, { permissions, files, session, place, confirm });
  }

  async systemPrompt(): Promise<string> {
    const step: Step = (_name, run) => run({ signal: NEVER, flushed: async () => {} });
    const { loaded } = this.#current;
    const { memory } = this.#parts;
    return (await sessionTerms(step, loaded, { memory, offer: sessionOffer(loaded) })).system;
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#closing.abort(new AgentClosedError("the agent was closed before the prompt ended"));
    this.#current.loaded.modules.stop();
    await this.#actors.settled();
    await this.#options.programModules?.onClose?.();
    await this.#current.close();
    // While the sessions are held: the next process that opens one adds to its log.
    await this.#logs.sessions.settled();
    this.#actors.close();
    this.#accounting.settle();
    await this.#parts.memory.settled();
    await this.#logs.settled();
    await this.#parts.telemetry?.settled();
  }

  async #spend(answer: AssistantMessage): Promise<void> {
    await this.#accounting.spend(answer, OUTSIDE_OF_PROMPTS);
  }

  #context({ session, cwd }: SessionActor, loaded: LoadedAgent): ContextParts {
    return { session, loaded, cwd, accounting: this.#accounting, memory: this.#parts.memory };
  }

  #offer(session?: string): SessionOffer {
    return sessionOffer(this.#current.loaded, this.#session(session).skills);
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
    const { clock, dataDirectory, ephemeral, onWarning } = this.#options;
    if (this.#state === undefined) return;
    this.#state = countPrompt(this.#state, clock.now());
    if (!ephemeral) saveState(dataDirectory, this.#state, onWarning);
  }

  /** As they are now. */
  get #options(): OpenOptions {
    return this.#current.options;
  }
}

const NEVER: AbortSignal = new AbortController().signal;

/** The events of work that continues whether or not they are read. They throw what it rejects with. */
function eventsOf(work: (emit: Submission["emit"]) => Promise<void>): AsyncIterable<AgentEvent> {
  const channel = new EventChannel();
  return leavable(
    channel.events(() => work((event) => channel.send(event))),
    () => channel.drop(),
  );
}
