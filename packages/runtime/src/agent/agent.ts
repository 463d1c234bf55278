import { join, sep } from "node:path";
import { agentIdentity, type JsonObject, type Redactor, Semaphore, within } from "@mdx-ai/base";
import type { AgentEvent, AgentTool, PromptObserver, Step, ToolResult } from "@mdx-ai/loop";
import type { AssistantMessage, LanguageModel, ToolSchema } from "@mdx-ai/models";
import type { PermissionMode, ToolDefinition } from "@mdx-ai/parser";
import { toolByHand, toolUnasked } from "@mdx-ai/permissions";
import {
  checkSessionId,
  type FindQuestions,
  fileStore,
  type JournalLine,
  memoryStore,
  ownerMark,
  type SessionQuestions,
  type SessionStore,
  StepGate,
} from "@mdx-ai/sessions";
import { AgentClosedError } from "../agent-closed-error.ts";
import type { HostedHeartbeat } from "../heartbeat/hosted-heartbeat.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { AgentMemory } from "../memory/agent-memory.ts";
import type { MemoryChanges } from "../memory/memory-changes.ts";
import { type AgentState, countPrompt, loadState, saveState } from "../state/agent-state.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Agent, CloseOptions, UserMemory, UserShell } from "../types/agent.ts";
import type { AgentServer } from "../types/mcp.ts";
import type { Session } from "../types/session.ts";
import { Accounting } from "./accounting.ts";
import { AgentLogs } from "./agent-logs.ts";
import { CurrentAgent } from "./current-agent.ts";
import { HostedSession } from "./hosted-session.ts";
import type { SessionServices } from "./live-session.ts";
import type { OpenOptions, ReadAgent } from "./loaded-agent.ts";
import { promptHead, toolSetOf } from "./prompt-head.ts";
import { PromptRunner } from "./prompt-runner.ts";
import { DEFAULT_SLOTS, toolsFolder } from "./prompt-settings.ts";
import { LocalSession } from "./session.ts";
import type { LoggedPrompt } from "./session-log.ts";
import { SessionTable } from "./session-table.ts";
import { moduleCommand, userShell } from "./user-shell.ts";

export interface LocalAgentParts {
  readonly loaded: ReadAgent;
  readonly log: AgentLog;
  readonly questionsOf: FindQuestions;
  /** As in `LoadAgentOptions`. */
  readonly change: (tool: AgentTool) => AgentTool;
  readonly memory: AgentMemory;
  /** Redacts everything that is written to files. */
  readonly redactor: Redactor;
  /** Absent unless the user's variables turn it on. */
  readonly telemetry?: Telemetry | undefined;
}

const DEFAULT_SESSION = "main";

/** The session name in the usage log for usage outside any prompt. No session can have this name. */
const OUTSIDE_OF_PROMPTS = { session: "(memory)", prompt: 0 };

/** An open agent on this machine. */
export class LocalAgent implements Agent {
  readonly memory: UserMemory;
  readonly #parts: LocalAgentParts;
  readonly #current: CurrentAgent;
  readonly #logs: AgentLogs;
  readonly #accounting: Accounting;
  readonly #sessions: SessionTable;
  readonly #services: SessionServices;
  readonly #closing = new AbortController();
  readonly #gate = new StepGate();
  /** Undefined before the first prompt has ended, and while the file must not be replaced. */
  #state: { readonly counted: AgentState | undefined } | undefined;
  #closed: Promise<void> | undefined;
  /** Ends the claims of errors that no code awaits. */
  #unwatch = (): void => {};

  constructor(parts: LocalAgentParts) {
    this.#parts = parts;
    this.#current = new CurrentAgent(parts.loaded, this, {
      ...parts,
      spend: (answer) => this.#spend(answer),
      runCode: (tool, args) => this.#runCode(tool, args),
      runCommand: (command) => moduleCommand(this.#current.loaded, command),
      closing: this.#closing.signal,
    });
    this.#logs = new AgentLogs({ ...parts, current: this.#current });
    this.#accounting = new Accounting(this.#current);
    this.#sessions = new SessionTable((id) => new LocalSession(id, this.#services));
    this.#services = this.#makeServices(this.#sessions);
    this.memory = userMemory(parts.memory, this.#closing.signal);
  }

  get shell(): UserShell {
    return userShell(() => this.#current.loaded);
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
    const { tools, originOf } = sources.snapshot();
    return tools.map((tool) => toolUnasked(tool, originOf(tool), permissions));
  }

  get toolSchemas(): readonly ToolSchema[] {
    return toolSetOf(this.#current.loaded).snapshot.registry.schemas;
  }

  get servers(): readonly AgentServer[] {
    return this.#current.loaded.servers;
  }

  get mode(): PermissionMode {
    return this.#current.loaded.permissions.mode;
  }

  setMode(mode: PermissionMode): void {
    this.#current.loaded.permissions.chooseMode(mode);
  }

  session(id: string = this.#defaultSession): Session {
    checkSessionId(id);
    return this.#sessions.get(id);
  }

  /** A session that the caller opens and runs. */
  hosted(id: string, lines: () => Promise<readonly JournalLine[]>): HostedSession {
    return new HostedSession(id, lines, this.#services);
  }

  /** Its heartbeat for a program that keeps the record, and the sessions of `agent`. */
  async heartbeatOf(agent: Agent): Promise<HostedHeartbeat> {
    const { openHeartbeat, openSchedule } = await import("./open-heartbeat.ts");
    const runCode = (tool: ToolDefinition, args: JsonObject): Promise<ToolResult> => this.#runCode(tool, args);
    const host = { agent, log: this.#parts.log, runCode, closing: this.#closing.signal };
    const schedule = openSchedule(this.#options, host);
    openHeartbeat(this.#options, host, schedule).schedule();
    return schedule.hosted;
  }

  /** The questions of a session, the default one if absent. */
  questionsOf(id: string = this.#defaultSession): SessionQuestions {
    return this.#sessions.get(id).questions;
  }

  async systemPrompt(): Promise<string> {
    const step: Step = (_name, run) => run({ signal: new AbortController().signal });
    const { loaded } = this.#current;
    const { memory } = this.#parts;
    return (await promptHead(step, loaded, { memory, toolSet: toolSetOf(loaded) })).system;
  }

  /** As `CurrentAgent.openModules`. */
  openModules(): Promise<void> {
    // The state is read before modules are imported, which may look at it.
    const { directory, ephemeral, watchErrors } = this.#options;
    const folders = [directory.path, directory.realPath].map((folder) => join(folder, "modules", sep));
    this.#unwatch = watchErrors?.((error) => this.#current.loaded.modules.claim(error), folders) ?? this.#unwatch;
    if (directory.definition.modules.length > 0 && !ephemeral) this.#state = this.#readState();
    return this.#current.openModules();
  }

  refresh(): Promise<void> {
    return this.#current.use(this.#closing.signal, async () => {});
  }

  close({ patience = 0 }: CloseOptions = {}): Promise<void> {
    this.#closed ??= this.#end(patience);
    return this.#closed;
  }

  async #end(patience: number): Promise<void> {
    if (patience > 0) await within(this.#gate.close(), patience);
    this.#closing.abort(new AgentClosedError("the agent was closed before the prompt ended"));
    const stopped = Promise.all([this.#current.loaded.modules.stop(), this.#current.closeAgents()]);
    await Promise.all(this.#sessions.used.map((session) => session.settled()));
    await stopped;
    await this.#current.loaded.modules.settled();
    this.#unwatch();
    await this.#options.programModules?.onClose?.();
    await this.#current.close();
    // Before the sessions are released: the next process that opens one appends to its log.
    await this.#logs.sessions.settled();
    for (const session of this.#sessions.used) session.close();
    this.#accounting.settle();
    await this.#parts.memory.settled();
    await this.#logs.settled();
    await this.#parts.telemetry?.settled();
  }

  #makeServices(sessions: SessionTable): SessionServices {
    const { memory, log } = this.#parts;
    const closing = this.#closing.signal;
    const accounting = this.#accounting;
    const { directory, session = DEFAULT_SESSION } = this.#options;
    const store = this.#store();
    const slots = Semaphore.of(directory.definition.settings.limits?.sessions ?? DEFAULT_SLOTS);
    const observe = (prompt: LoggedPrompt, model: LanguageModel): readonly PromptObserver[] =>
      this.#observers(prompt, model);
    return {
      ...{ sessions, memory, closing, accounting, current: this.#current, logs: this.#logs, store, slots },
      runner: new PromptRunner({
        ...{ sessions, memory, closing, gate: this.#gate, accounting, observe },
        deliver: (id, text, cost) => sessions.get(id).deliver(text, cost),
      }),
      redactor: this.#parts.redactor,
      defaultSession: session,
      replay: (id, after) => this.#replay(store, id, after),
      onPromptEnd: () => this.#saveState(),
      onFailure: (message) => log.note(message),
    };
  }

  #store(): SessionStore {
    const { dataDirectory, ephemeral, clock, onWarning, journalKey, directory } = this.#options;
    if (ephemeral) return memoryStore;
    const owner = journalKey === undefined ? undefined : ownerMark(journalKey, agentIdentity(directory.realPath));
    return fileStore({ dataDirectory, redactor: this.#parts.redactor, owner, clock, onWarning });
  }

  async *#replay(store: SessionStore, session: string, after: string): AsyncGenerator<AgentEvent> {
    if (!store.has(session)) return;
    const { directory, dataDirectory } = this.#options;
    const { recordedEvents } = await import("../recording/recorded-events.ts");
    yield* recordedEvents(directory, { session, dataDirectory }, after);
  }

  async #spend(answer: AssistantMessage): Promise<void> {
    await this.#accounting.spend(answer, OUTSIDE_OF_PROMPTS);
  }

  /** The tool host stays open until the code ends. */
  async #runCode(tool: ToolDefinition, args: JsonObject): Promise<ToolResult> {
    const { signal } = this.#closing;
    const { log } = this.#parts;
    const context = { sessionId: "heartbeat", callId: crypto.randomUUID(), signal, update: () => {} };
    return this.#current.use(signal, (loaded) => {
      const { path: agentDir } = loaded.options.directory;
      const said = { agentDir, cwd: toolsFolder(loaded.options), log: (line: string) => log.write(line) };
      return loaded.host.call(tool, args, { ...context, ...said });
    });
  }

  #observers(prompt: LoggedPrompt, model: LanguageModel): readonly PromptObserver[] {
    const spans = this.#parts.telemetry?.begin({ session: prompt.session, model });
    return [...this.#logs.observers(prompt), ...(spans ? [spans] : []), ...this.#subscribers(prompt)];
  }

  /** The modules that subscribed to events, also those that do so while the prompt runs. */
  #subscribers({ session }: LoggedPrompt): readonly PromptObserver[] {
    if (this.#current.loaded.modules.live.length === 0) return [];
    return [{ send: (event) => this.#current.loaded.modules.send(event, session), fail: () => {} }];
  }

  get #defaultSession(): string {
    return this.#options.session ?? DEFAULT_SESSION;
  }

  #readState(): { readonly counted: AgentState | undefined } {
    const { dataDirectory, clock, onWarning } = this.#options;
    return { counted: loadState(dataDirectory, { clock, onWarning }) };
  }

  #saveState(): void {
    const { clock, dataDirectory, ephemeral, onWarning } = this.#options;
    if (ephemeral) return;
    const { counted } = this.#state ?? this.#readState();
    this.#state = { counted: counted && countPrompt(counted, clock.now()) };
    if (this.#state.counted) saveState(dataDirectory, this.#state.counted, onWarning);
  }

  /** The current ones. */
  get #options(): OpenOptions {
    return this.#current.loaded.options;
  }
}

/** The memory of an agent. Rejects once `closing` has fired. The code for changes is loaded with the first one. */
function userMemory(memory: AgentMemory, closing: AbortSignal): UserMemory {
  const requireOpen = (): void => {
    if (closing.aborted) throw new AgentClosedError();
  };
  const change = async <Result>(work: (changes: MemoryChanges) => Promise<Result>): Promise<Result> => {
    requireOpen();
    return memory.turns.run(async () => {
      const { MemoryChanges: Changes } = await import("../memory/memory-changes.ts");
      return work(new Changes(memory));
    });
  };
  return {
    remember: (text) => change((changes) => changes.remember(text)),
    memories: async () => {
      requireOpen();
      return (await memory.read()).memories;
    },
    forget: (id) => change((changes) => changes.forget(id)),
    addNote: (text) => change((changes) => changes.addNote(text)),
  };
}
