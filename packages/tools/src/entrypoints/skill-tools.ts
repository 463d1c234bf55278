import { dirname } from "node:path";
import type { AgentTool } from "@mdx-ai/loop";
import type { SkillDefinition, SkillToolDefinition } from "@mdx-ai/parser";
import { propertyNames } from "@mdx-ai/parser/entrypoints";
import {
  type Entrypoint,
  EntrypointError,
  type EntrypointOptions,
  type EntrypointTool,
  type SkillToolKind,
} from "./entrypoint.ts";
import { skillFile } from "./skill-file.ts";
import { SKILL_TOOL_KINDS } from "./skill-tool-kinds.ts";

/** Creates the tools of an agent's structured skills. Loads the code of a kind on the first call of one of its tools. */
export class SkillTools {
  readonly #options: EntrypointOptions;
  readonly #kinds: ReadonlyMap<string, SkillToolKind>;
  readonly #loaded = new Map<SkillToolKind, Promise<Entrypoint>>();

  constructor(options: EntrypointOptions, kinds: ReadonlyMap<string, SkillToolKind> = SKILL_TOOL_KINDS) {
    this.#options = options;
    this.#kinds = kinds;
  }

  /**
   * The tools of a skill. If an entrypoint can never work, each call of its tool fails with the reason. Starts nothing and reads
   * nothing.
   */
  of(skill: SkillDefinition): readonly AgentTool[] {
    return (skill.tools ?? []).map((tool) => ({
      ...{ name: tool.name, description: tool.description, parameters: tool.schema },
      ...this.#running(skill, tool),
    }));
  }

  /** What sandboxes the command that a tool declares; undefined if nothing does. */
  containmentOf({ entrypoint }: SkillToolDefinition): SkillToolKind["containment"] {
    return this.#kinds.get(entrypoint.scheme)?.containment;
  }

  /** Ends the processes that serve the tools. Never rejects; may be called twice. */
  async close(): Promise<void> {
    const loaded = await Promise.allSettled(this.#loaded.values());
    await Promise.all(loaded.map((one) => (one.status === "fulfilled" ? one.value.close?.() : undefined)));
  }

  #running(skill: SkillDefinition, tool: SkillToolDefinition): Omit<AgentTool, "name" | "description" | "parameters"> {
    const { scheme, target } = tool.entrypoint;
    const kind = this.#kinds.get(scheme);
    if (kind === undefined) {
      const schemes = [...this.#kinds.keys()].map((one) => `${one}:`).join(", ");
      const written = JSON.stringify(target);
      return failing(`its entrypoint ${written} has an unknown scheme; the known ones are ${schemes}`);
    }
    const options = this.#options;
    const folder = dirname(skillFile(skill, options.agentDir));
    const made = async (): Promise<EntrypointTool> => {
      const entrypoint = await this.#load(kind);
      const found = entrypoint.tool({ tool, folder, names: propertyNames(tool.schema), options });
      return "kind" in found ? failing(`its entrypoint cannot work: ${found.message}; ${found.hint}`) : found;
    };
    return {
      ...(kind.readOnly && { readOnly: true }),
      access: async (args, place) => (await (await made()).access?.(args, place)) ?? { kind: "call" },
      execute: async (args, context) => (await made()).execute(args, context),
    };
  }

  #load(kind: SkillToolKind): Promise<Entrypoint> {
    const loading = this.#loaded.get(kind) ?? kind.load(this.#options);
    this.#loaded.set(kind, loading);
    return loading;
  }
}

const failing = (reason: string): EntrypointTool => ({
  execute: async () => {
    throw new EntrypointError(`the tool cannot run: ${reason}`);
  },
});
