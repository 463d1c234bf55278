import type { Agent, AgentServer, McpPrompt, McpResource } from "@mdx-ai/runtime";
import type { CompletedCommand, Completion } from "../screen/input-completion.ts";

/** Milliseconds for which what a server lists is kept: it is looked at with every key. */
const FRESH = 10_000;

interface Listed {
  readonly at: number;
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly McpResource[];
}

/** The prompts and resources of the MCP servers that are connected, for the completion. Starts no server. */
export class ServerWords {
  readonly #agent: Pick<Agent, "servers">;
  readonly #listed = new Map<string, Listed>();

  constructor(agent: Pick<Agent, "servers">) {
    this.#agent = agent;
  }

  /** The prompts as commands: `/mcp:SERVER:PROMPT`. None of a server before it is asked, which the first key begins. */
  prompts(): readonly CompletedCommand[] {
    return this.#known().flatMap(([server, { prompts }]) =>
      prompts.map(({ name, description = "", arguments: args }) => ({
        name: `/mcp:${server}:${name}`,
        ...(args.length > 0 && { words: args.map((one) => (one.required ? one.name : `[${one.name}]`)).join(" ") }),
        description,
      })),
    );
  }

  /** The resources as they are written behind `@`: `SERVER:URI`. */
  resources(): readonly Completion[] {
    return this.#known().flatMap(([server, { resources }]) =>
      resources.map(({ uri, name, description }) => ({ value: `${server}:${uri}`, description: description ?? name })),
    );
  }

  #known(): readonly (readonly [server: string, listed: Listed])[] {
    for (const server of this.#agent.servers) {
      const { at = Number.NEGATIVE_INFINITY } = this.#listed.get(server.name) ?? {};
      if (server.state.type === "connected" && performance.now() - at > FRESH) void this.#list(server);
    }
    return [...this.#listed];
  }

  async #list(server: AgentServer): Promise<void> {
    const { prompts = [], resources = [] } = this.#listed.get(server.name) ?? {};
    // Until they are here, the earlier ones count.
    this.#listed.set(server.name, { at: performance.now(), prompts, resources });
    const [newPrompts, newResources] = await Promise.all([
      server.prompts().catch(() => []),
      server.resources().catch(() => []),
    ]);
    this.#listed.set(server.name, { at: performance.now(), prompts: newPrompts, resources: newResources });
  }
}
