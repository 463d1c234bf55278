import { dataLayout } from "@mdx-ai/base";
import type { ChoosableModels } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import type { SkillDefinition } from "@mdx-ai/parser";
import type { Agent, AgentServer, McpPrompt, McpResource } from "@mdx-ai/runtime";
import { fileStore } from "@mdx-ai/sessions";
import { THEME_NAMES } from "../../output/theme.ts";
import { skillName } from "../command-texts.ts";
import { type CompletedCommand, type Completion, InputCompletion } from "../screen/input-completion.ts";
import { WorkspaceFiles } from "../screen/workspace-files.ts";
import type { SessionOptions } from "../session-options.ts";
import { skillWords } from "../skill-command.ts";
import { slashCommands } from "../slash-command-table.ts";

/** The sources of completions for commands. */
export interface WordSources {
  /** The folder of the sessions; absent if none is kept. Absolute. */
  readonly dataDir: string | undefined;
  readonly models: Pick<ChoosableModels, "list">;
  /** Redacts a text. */
  redact(text: string): string;
}

/** Milliseconds for which lists of sessions and server contents are cached, since every key reads them. */
const FRESH_SESSIONS = 3_000;
const FRESH_SERVERS = 10_000;

/** Completions after commands, such as the sessions after `/session switch`. */
export class CommandWords {
  readonly #sources: () => WordSources;
  #sessions: readonly Completion[] = [];
  #at = Number.NEGATIVE_INFINITY;
  #models: readonly Completion[] | undefined;

  constructor(sources: () => WordSources) {
    this.#sources = sources;
  }

  /** Completions after `/session`. */
  readonly session = (words: string): readonly Completion[] => {
    const verb = /^(switch|delete|info)\s/.exec(words)?.[1];
    if (verb === undefined) return SESSION_WORDS;
    return this.#known().map(({ value, description }) => ({ value: `${verb} ${value}`, description }));
  };

  /** The models that `/model` lists. Empty until they are read, which starts with the first key after `/model`. */
  readonly model = (): readonly Completion[] => {
    if (this.#models === undefined) void this.#listModels();
    return this.#models ?? [];
  };

  async #listModels(): Promise<void> {
    this.#models = [];
    // `/model` itself reports why they cannot be read.
    const listed = await this.#sources()
      .models.list()
      .catch(() => []);
    this.#models = listed.map(({ reference, origin }) => ({ value: reference, description: plainLine(origin) }));
  }

  #known(): readonly Completion[] {
    const { dataDir, redact } = this.#sources();
    if (dataDir === undefined) return [];
    const now = performance.now();
    if (now - this.#at > FRESH_SESSIONS) {
      this.#sessions = fileStore({ dataDirectory: dataDir })
        .list()
        .sessions.map((session) => ({
          value: session.id,
          description: session.state === "readable" ? plainLine(redact(session.title)) : "",
        }));
      this.#at = performance.now();
    }
    return this.#sessions;
  }
}

const SESSION_WORDS: readonly Completion[] = [
  { value: "switch ", description: "continues another session" },
  { value: "new", description: "begins a new session" },
  { value: "list", description: "lists the sessions" },
  { value: "info", description: "shows the figures of a session" },
  { value: "delete ", description: "deletes a session" },
];

interface Listed {
  readonly at: number;
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly McpResource[];
}

/** Prompts and resources of connected MCP servers. Starts no server. */
class ServerWords {
  readonly #agent: Pick<Agent, "servers">;
  readonly #listed = new Map<string, Listed>();

  constructor(agent: Pick<Agent, "servers">) {
    this.#agent = agent;
  }

  /** The prompts as commands: `/mcp:SERVER:PROMPT`. Empty until the first key requests them. */
  prompts(): readonly CompletedCommand[] {
    return this.#known().flatMap(([server, { prompts }]) =>
      prompts.map(({ name, description = "", arguments: args }) => ({
        name: `/mcp:${server}:${name}`,
        ...(args.length > 0 && { words: args.map((one) => (one.required ? one.name : `[${one.name}]`)).join(" ") }),
        description,
      })),
    );
  }

  /** The resources as written after `@`: `SERVER:URI`. */
  resources(): readonly Completion[] {
    return this.#known().flatMap(([server, { resources }]) =>
      resources.map(({ uri, name, description }) => ({ value: `${server}:${uri}`, description: description ?? name })),
    );
  }

  #known(): readonly (readonly [server: string, listed: Listed])[] {
    for (const server of this.#agent.servers) {
      const { at = Number.NEGATIVE_INFINITY } = this.#listed.get(server.name) ?? {};
      if (server.state.type === "connected" && performance.now() - at > FRESH_SERVERS) void this.#list(server);
    }
    return [...this.#listed];
  }

  async #list(server: AgentServer): Promise<void> {
    const { prompts = [], resources = [] } = this.#listed.get(server.name) ?? {};
    // The earlier ones are used until these arrive.
    this.#listed.set(server.name, { at: performance.now(), prompts, resources });
    const [newPrompts, newResources] = await Promise.all([
      server.prompts().catch(() => []),
      server.resources().catch(() => []),
    ]);
    this.#listed.set(server.name, { at: performance.now(), prompts: newPrompts, resources: newResources });
  }
}

/** Completes commands, files of the tools' folder, and resources of MCP servers. */
export function completionOf(options: SessionOptions): InputCompletion {
  const { agent, dataDir, folder, models, redact } = options;
  const words = new CommandWords(() => ({ dataDir, models, redact }));
  const servers = new ServerWords(agent);
  // The agent's data is not offered.
  const { sessions, state, logs } = dataLayout(dataDir ?? folder);
  return new InputCompletion({
    commands: () => [...completedCommands(options.skills, words), ...servers.prompts()],
    resources: () => servers.resources(),
    files: new WorkspaceFiles(folder, [sessions, state, logs]),
    folder,
  });
}

/** The commands and skills that can be completed. */
function completedCommands(skills: readonly SkillDefinition[], words: CommandWords): readonly CompletedCommand[] {
  const known: Readonly<Record<string, CompletedCommand["complete"]>> = {
    "/session": words.session,
    "/model": words.model,
    "/mode": () => plainWords(["ask", "edits", "plan", "all"]),
    "/theme": () => plainWords(THEME_NAMES),
    "/skill": skillWords(skills),
    "/tool": () => plainWords(["list", "output full", "output short", "output off"]),
  };
  const commands = slashCommands.map(({ name, words: given, description }) => {
    const complete = known[name];
    return { name, words: given, description, ...(complete && { complete }) };
  });
  const named = skills.map((skill) => ({ name: skillName(skill), words: "TEXT", description: skill.description }));
  return [...commands, ...named];
}

const plainWords = (words: readonly string[]): readonly Completion[] =>
  words.map((value) => ({ value, description: "" }));
