import { join } from "node:path";
import type { LanguageModel, Message, ToolSchema } from "@mdx-ai/models";
import type { AgentLog } from "../log/agent-log.ts";
import type { LoadedModules } from "../modules/loaded-modules.ts";
import type { Session } from "../session/session.ts";
import { expandSkillCommand } from "../skills/expand-skill-command.ts";
import { type AgentState, countPrompt } from "../state/agent-state.ts";
import { saveState } from "../state/state-file.ts";
import type { ToolHost } from "../tool-host/tool-host.ts";
import type { Agent, AgentOptions, Clock, CompactionReport, PromptOptions, SessionInfo } from "../types/agent.ts";
import type { AgentEvent } from "../types/event.ts";
import type { AgentTool } from "../types/tool.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";
import { AgentClosedError } from "./agent-closed-error.ts";
import { EventChannel } from "./event-channel.ts";
import { OpenSessions } from "./open-sessions.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { PromptWorker } from "./prompt-worker.ts";
import { openSessionLog, type SessionLog } from "./session-log.ts";
import { toolRegistry } from "./tool-registry.ts";

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

const DEFAULT_SESSION = "main";

/** An agent of this machine: its sessions are folders, its prompts run one at a time. */
export class LocalAgent implements Agent {
  readonly name: string;
  readonly model: LanguageModel;
  readonly fallbacks: readonly LanguageModel[];
  readonly #parts: LocalAgentParts;
  readonly #sessionLog: SessionLog;
  readonly #worker: PromptWorker;
  readonly #sessions: OpenSessions;
  readonly #queue = new PromptQueue();
  readonly #closing = new AbortController();
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
    this.#state = parts.state;
    this.#tools = parts.tools;
    this.#registry = this.#buildRegistry();
    const moduleSections = (): readonly string[] => this.#modules?.sections() ?? [];
    const logs = options.ephemeral ? undefined : join(options.directory.path, "logs");
    this.#sessionLog = openSessionLog({ directory: logs, model: this.model.name, clock, onWarning });
    this.#worker = new PromptWorker({
      ...parts,
      sessionLog: this.#sessionLog,
      tools: () => this.#registry,
      moduleSections,
    });
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
    const signal = this.#untilClosing(left.signal, options.signal);
    const channel = new EventChannel();
    // The work does not wait for whoever reads: one who stops reading must not hold up the prompts behind.
    const working = this.#inTurn(signal, async () => {
      const { path: agentDir, definition } = this.#parts.options.directory;
      const input = await expandSkillCommand(text, { skills: definition.skills, agentDir });
      const session = await this.#wholeSession(options.session);
      const models = options.model ? [options.model] : this.#models;
      await this.#worker.run(session, { input, models, signal, emit: (event) => channel.send(event) });
      await this.#saveState();
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
    await this.#inTurn(this.#closing.signal, async () => this.#clear(this.#session(session)));
  }

  async compact(session?: string, stop?: AbortSignal): Promise<CompactionReport | undefined> {
    const signal = this.#untilClosing(stop);
    let report: CompactionReport | undefined;
    await this.#inTurn(signal, async () => {
      report = await this.#worker.compact(await this.#wholeSession(session), this.model, signal);
    });
    return report;
  }

  async info(session?: string): Promise<SessionInfo> {
    return this.#worker.info(this.#session(session), this.model);
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
    this.#modules?.stop();
    await this.#queue.empty();
    await this.#parts.host.close();
    // While the sessions are held: whoever opens one next adds to its log.
    await this.#sessionLog.settled();
    this.#sessions.close();
    this.#worker.close();
    await this.#parts.log.settled();
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

  #clear(session: Session): void {
    const { lastPrompt } = session;
    session.clear();
    this.#sessionLog.clear(session, lastPrompt);
  }

  #session(id = this.#parts.options.session ?? DEFAULT_SESSION): Session {
    if (this.#closing.signal.aborted) throw new AgentClosedError();
    return this.#sessions.get(id);
  }

  /** A session whose last prompt, where a crash cut it short, was brought to a valid end: what was started is not started again. */
  async #wholeSession(id: string | undefined): Promise<Session> {
    const session = this.#session(id);
    if (!session.isInterrupted) return session;
    this.#parts.onWarning(
      `session ${session.id}: prompt ${session.lastPrompt} was interrupted; what had been done is kept, nothing is done twice`,
    );
    const stopped = { signal: AbortSignal.abort(), emit: () => {} };
    await this.#worker.run(session, { input: "", models: this.#models, ...stopped });
    await this.#saveState();
    return session;
  }

  get #models(): readonly LanguageModel[] {
    return [this.model, ...this.fallbacks];
  }

  async #saveState(): Promise<void> {
    const { options, clock, onWarning } = this.#parts;
    this.#state = countPrompt(this.#state, clock.now());
    if (!options.ephemeral) await saveState(options.directory.path, this.#state, onWarning);
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
