import { errorMessage } from "@mdx-ai/base";
import {
  type BuiltinTool,
  type BuiltinToolContext,
  contentText,
  errorResult,
  type ToolResult,
  type ToolSource,
} from "@mdx-ai/loop";
import type { SandboxSettings } from "@mdx-ai/parser";
import type { Permissions } from "@mdx-ai/permissions";
import type { Agent } from "../types/agent.ts";
import type { OpenSubagent, ParentAgent, Subagent } from "../types/subagent.ts";
import { AgentCall, sessionFor } from "./agent-call.ts";
import { backgroundDetails, type KnownCalls, type OpenCall, openCalls, resultText } from "./background-calls.ts";
import type { CallingPrompt } from "./calling-prompt.ts";

/** How many levels of agents may work below the first one. */
const MAX_DEPTH = 3;

export interface SubagentsOptions {
  readonly agents: readonly Subagent[];
  /** The permissions of the calling agent. */
  readonly permissions: Permissions;
  readonly sandbox: SandboxSettings;
  /** The number of agents above the calling one. */
  readonly depth: number;
  /** The working directory of the calling agent's tools. Absolute. */
  readonly workspace: string;
}

/** A running prompt whose model may call agents, as its runner sees it. */
export interface RunningPrompt extends Disposable {
  /** Continues the background calls of an earlier process. */
  resume(known: KnownCalls): void;
  /** Resolves when no background call of its session runs. Never rejects. */
  settled(): Promise<void>;
}

/** The agents that work as tools of an open agent. Each is opened with its first call. */
export class Subagents {
  readonly sources: readonly ToolSource[];
  readonly #options: SubagentsOptions;
  readonly #opened = new Map<Subagent, Promise<OpenSubagent>>();
  /** The running prompts of the calling agent, by their sessions. */
  readonly #prompts = new Map<string, CallingPrompt>();
  /** The running calls, by the sessions that work for them. */
  readonly #calls = new Map<string, AgentCall>();
  /** The same for those that have returned already. */
  readonly #background = new Map<string, { readonly caller: string; readonly done: Promise<void> }>();
  /** The agents that worked for each session, by the sessions in which they did. */
  readonly #worked = new Map<string, Map<string, Agent>>();
  #isClosed = false;

  constructor(options: SubagentsOptions) {
    this.#options = options;
    this.sources = options.agents.map((agent) => {
      const tools = [this.#toolOf(agent)];
      return { origin: `agent:${agent.name}`, tools: () => tools };
    });
  }

  /** Lets the model of a prompt call the agents until the result is disposed. */
  begin(prompt: CallingPrompt): RunningPrompt {
    const { id } = prompt.session;
    this.#prompts.set(id, prompt);
    return {
      resume: (known) => this.#resume(prompt, openCalls(known)),
      settled: () => this.#settled(id),
      [Symbol.dispose]: () => {
        if (this.#prompts.get(id) === prompt) this.#prompts.delete(id);
      },
    };
  }

  /** The running calls of a session. */
  callsOf(session: string): readonly AgentCall[] {
    return [...this.#calls.values()].filter((call) => call.caller === session);
  }

  /** Releases the sessions in which agents have worked for a session. Rejects as `Session.release` does. */
  async release(session: string): Promise<void> {
    const worked = this.#worked.get(session) ?? [];
    this.#worked.delete(session);
    for (const [id, agent] of worked) await agent.session(id).release();
  }

  /** Closes the open agents. Their prompts stay interrupted. Never rejects. */
  async close(): Promise<void> {
    const opened = [...this.#opened.values()];
    this.#opened.clear();
    this.#isClosed = true;
    await Promise.allSettled(opened.map(async (agent) => (await agent).close()));
  }

  #toolOf(agent: Subagent): BuiltinTool {
    return {
      name: agent.name,
      description: agent.description,
      parameters: PARAMETERS,
      parameterHabits: { names: { prompt: OTHER_NAMES } },
      // The session of a repeated call continues where the crash left it.
      idempotent: true,
      execute: ({ prompt }, context) => this.#call(agent, String(prompt), context),
    };
  }

  async #call(agent: Subagent, text: string, context: BuiltinToolContext): Promise<ToolResult> {
    if (this.#options.depth >= MAX_DEPTH) return errorResult(TOO_DEEP);
    const prompt = this.#prompts.get(context.sessionId);
    if (prompt === undefined) return errorResult("not run: only the model of a session can call an agent");
    const session = sessionFor(prompt, context);
    if (!agent.isBackground) {
      const update = (line: string): void => context.update(line);
      const call = new AgentCall({ agent: agent.name, session, prompt, context: { ...context, update } });
      return this.#runInStep(agent, text, call);
    }
    const { callId, cwd, signal } = context;
    this.#start(agent, text, new AgentCall({ agent: agent.name, session, prompt, context: { callId, cwd, signal } }));
    const content = [{ type: "text" as const, text: `started in the background; the result comes as a message` }];
    return { content, details: backgroundDetails(agent.name, session) };
  }

  /** Runs a call within a step of its caller. What counts as running meanwhile are the steps of the agent. */
  async #runInStep(agent: Subagent, text: string, call: AgentCall): Promise<ToolResult> {
    call.gate.leave();
    try {
      return await this.#run(agent, text, call);
    } finally {
      call.gate.enter();
    }
  }

  async #run(agent: Subagent, text: string, call: AgentCall): Promise<ToolResult> {
    this.#calls.set(call.session, call);
    try {
      const { agent: opened } = await this.#open(agent);
      return await call.run(opened.session(call.session), text).finally(() => this.#noteWork(call, opened));
    } finally {
      this.#calls.delete(call.session);
    }
  }

  #noteWork({ caller, session }: AgentCall, agent: Agent): void {
    const worked = this.#worked.get(caller) ?? new Map<string, Agent>();
    this.#worked.set(caller, worked.set(session, agent));
  }

  /** Runs a call in the background and gives its result to the session that called. */
  #start(agent: Subagent, text: string, call: AgentCall): void {
    const work = async (): Promise<void> => {
      const result = await this.#run(agent, text, call).catch((error: unknown) => errorResult(errorMessage(error)));
      // The next process continues it.
      if (this.#isClosed) return;
      await call.deliver(resultText(agent.name, call.session, contentText(result.content)), result.cost);
    };
    const done = work()
      .catch(() => {
        // The session's next prompt gives the result again.
      })
      .finally(() => this.#background.delete(call.session));
    this.#background.set(call.session, { caller: call.caller, done });
  }

  /** Continues the background calls of an earlier process. */
  #resume(prompt: CallingPrompt, open: readonly OpenCall[]): void {
    for (const { call, agent: name, session } of open) {
      const agent = this.#options.agents.find((one) => one.name === name);
      if (agent === undefined || this.#background.has(session)) continue;
      const context = { callId: call.id, cwd: this.#options.workspace, signal: new AbortController().signal };
      this.#start(agent, String(call.arguments["prompt"]), new AgentCall({ agent: name, session, prompt, context }));
    }
  }

  /** Resolves when no background call of a session runs. */
  async #settled(session: string): Promise<void> {
    const running = [...this.#background.values()].filter(({ caller }) => caller === session);
    await Promise.all(running.map(({ done }) => done));
  }

  /** Opens an agent once; after a failure, the next call tries again. */
  #open(agent: Subagent): Promise<OpenSubagent> {
    const known = this.#opened.get(agent);
    if (known !== undefined) return known;
    const opening = agent.open(this.#parent()).catch((error: unknown) => {
      this.#opened.delete(agent);
      throw new Error(`the agent ${agent.name} cannot be opened: ${errorMessage(error)}`, { cause: error });
    });
    this.#opened.set(agent, opening);
    return opening;
  }

  #parent(): ParentAgent {
    const { permissions, sandbox, depth, workspace } = this.#options;
    const keyOf = (sessionKey: string): string =>
      [...this.#calls.values()].find((call) => call.sessionKey === sessionKey)?.parentKey ?? "";
    return {
      permissions: { permissions, keyOf },
      ...{ sandbox, workspace, depth: depth + 1 },
      callOf: (session) => this.#calls.get(session),
    };
  }
}

const PARAMETERS = {
  type: "object",
  properties: {
    prompt: {
      type: "string",
      description: "The task, with everything that the agent needs to know: it sees nothing else",
    },
  },
  required: ["prompt"],
} as const;

/** What models call the prompt of an agent elsewhere. */
const OTHER_NAMES = ["task", "message", "input", "query", "question", "request", "instructions"];

const TOO_DEEP = `not run: agents can call agents ${MAX_DEPTH} levels deep, and this is the last; do the work yourself`;
