import { errorMessage } from "@mdx-ai/base";
import { type BuiltinTool, type BuiltinToolContext, errorResult, type ToolResult, type ToolSource } from "@mdx-ai/loop";
import type { SandboxSettings } from "@mdx-ai/parser";
import type { Permissions } from "@mdx-ai/permissions";
import type { OpenSubagent, ParentAgent, Subagent } from "../types/subagent.ts";
import { AgentCall } from "./agent-call.ts";
import { CallingPrompt, type CallingPromptOptions } from "./calling-prompt.ts";

/** How many levels of agents may work below the first one. */
export const MAX_DEPTH = 3;

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

/** The agents that work as tools of an open agent. Each is opened with its first call. */
export class Subagents {
  readonly sources: readonly ToolSource[];
  readonly #options: SubagentsOptions;
  readonly #opened = new Map<Subagent, Promise<OpenSubagent>>();
  /** The running prompts of the calling agent, by their sessions. */
  readonly #prompts = new Map<string, CallingPrompt>();
  /** The running calls, by the sessions that work for them. */
  readonly #calls = new Map<string, AgentCall>();

  constructor(options: SubagentsOptions) {
    this.#options = options;
    this.sources = options.agents.map((agent) => {
      const tools = [this.#toolOf(agent)];
      return { origin: `agent:${agent.name}`, tools: () => tools };
    });
  }

  /** Lets the model of a prompt call the agents until the result is disposed. */
  begin(options: CallingPromptOptions): CallingPrompt & Disposable {
    const { id } = options.session;
    const prompt = new CallingPrompt(options);
    this.#prompts.set(id, prompt);
    const end = (): void => {
      if (this.#prompts.get(id) === prompt) this.#prompts.delete(id);
    };
    return Object.assign(prompt, { [Symbol.dispose]: end });
  }

  /** The running calls of a session. */
  callsOf(session: string): readonly AgentCall[] {
    return [...this.#calls.values()].filter((call) => call.caller === session);
  }

  /** Closes the open agents. Their prompts stay interrupted. Never rejects. */
  async close(): Promise<void> {
    const opened = [...this.#opened.values()];
    this.#opened.clear();
    await Promise.allSettled(opened.map(async (agent) => (await agent).close()));
  }

  #toolOf(agent: Subagent): BuiltinTool {
    return {
      name: agent.name,
      description: agent.description,
      parameters: PARAMETERS,
      parameterHabits: {
        names: { prompt: ["task", "message", "input", "query", "question", "request", "instructions"] },
      },
      // The session of a repeated call continues where the crash left it.
      idempotent: true,
      execute: ({ prompt }, context) => this.#call(agent, String(prompt), context),
    };
  }

  async #call(agent: Subagent, text: string, context: BuiltinToolContext): Promise<ToolResult> {
    if (this.#options.depth >= MAX_DEPTH) return errorResult(TOO_DEEP);
    const prompt = this.#prompts.get(context.sessionId);
    if (prompt === undefined) return errorResult("not run: only the model of a session can call an agent");
    const call = new AgentCall({ agent: agent.name, prompt, context });
    this.#calls.set(call.session, call);
    try {
      const { agent: opened } = await this.#open(agent);
      return await call.run(opened.session(call.session), text);
    } finally {
      this.#calls.delete(call.session);
    }
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

const TOO_DEEP = `not run: agents can call agents ${MAX_DEPTH} levels deep, and this is the last; do the work yourself`;
