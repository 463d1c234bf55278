import { join } from "node:path";
import type { LanguageModel, Message, ToolSchema } from "@mdx-ai/models";
import type { AgentIdentity } from "@mdx-ai/parser";
import type { AgentLog } from "../log/agent-log.ts";
import { runPrompt } from "../loop/run-prompt.ts";
import type { LoadedModules } from "../modules/loaded-modules.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import type { Session } from "../session/session.ts";
import { expandSkillCommand } from "../skills/expand-skill-command.ts";
import { type AgentState, countPrompt } from "../state/agent-state.ts";
import { saveState } from "../state/state-file.ts";
import type { ToolHost } from "../tool-host/tool-host.ts";
import type { Agent, AgentOptions, Clock, PromptOptions } from "../types/agent.ts";
import type { AgentEvent } from "../types/event.ts";
import type { Step } from "../types/step.ts";
import type { AgentTool } from "../types/tool.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";
import { AgentClosedError } from "./agent-closed-error.ts";
import { EventChannel } from "./event-channel.ts";
import { logEvent } from "./log-event.ts";
import { OpenSessions } from "./open-sessions.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { sessionIdentity } from "./session-identity.ts";
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

/** A prompt whose turn has come. */
interface Prompt {
  readonly input: string;
  readonly model: LanguageModel;
  readonly signal: AbortSignal;
  emit(event: AgentEvent): void;
}

const DEFAULT_SESSION = "main";
const DEFAULT_MAX_TURNS = 50;

/** An agent of this machine: its sessions are folders, its prompts run one at a time. */
export class LocalAgent implements Agent {
  readonly name: string;
  readonly model: LanguageModel;
  readonly #parts: LocalAgentParts;
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
    this.#parts = parts;
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
      const model = options.model ?? this.model;
      await this.#run(session, { input, model, signal, emit: (event) => channel.send(event) });
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
    await this.#run(session, { input: "", model: this.model, signal: AbortSignal.abort(), emit: () => {} });
  }

  async #run(session: Session, prompt: Prompt): Promise<void> {
    const { options, clock, log } = this.#parts;
    const { settings } = options.directory.definition;
    const system = this.#systemPrompt(await this.#identity(session.ownStep));
    const temperature = options.temperature ?? settings.temperature;
    await session.runPrompt((step, messages) =>
      runPrompt(
        {
          step,
          model: prompt.model,
          tools: this.#registry,
          system,
          input: prompt.input,
          maxTurns: options.maxTurns ?? settings.limits?.turns ?? DEFAULT_MAX_TURNS,
          ...(temperature !== undefined && { temperature }),
          ...(settings.max_tokens !== undefined && { maxTokens: settings.max_tokens }),
          signal: prompt.signal,
          now: () => clock.now(),
          emit: (event) => {
            logEvent(log, session, event);
            prompt.emit(event);
          },
        },
        messages,
      ),
    );
    await this.#saveState();
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
