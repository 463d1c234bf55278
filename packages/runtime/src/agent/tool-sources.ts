import type { AgentTool, ToolOrigin, ToolSource } from "../types/tool.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";
import { type ToolSurroundings, toolRegistry } from "./tool-registry.ts";

/** What an agent's sources offered at a moment. */
export interface ToolSnapshot {
  /** In the order of the sources. Of several tools of one name the first. */
  readonly tools: readonly AgentTool[];
  readonly registry: ToolRegistry;
}

/** The tools of an agent: what its sources offer, behind one interface. */
export class ToolSources {
  readonly #sources: readonly ToolSource[];
  readonly #surroundings: ToolSurroundings;
  readonly #stops: readonly (() => void)[];
  #snapshot: ToolSnapshot | undefined;

  constructor(sources: readonly ToolSource[], surroundings: ToolSurroundings) {
    this.#sources = sources;
    this.#surroundings = surroundings;
    this.#stops = sources.flatMap((source) => source.onChange?.(() => this.#forget()) ?? []);
  }

  /** What the sources offer now. The same until one of them changes. */
  snapshot(): ToolSnapshot {
    this.#snapshot ??= this.#take();
    return this.#snapshot;
  }

  /** The same with more sources behind these. */
  with(sources: readonly ToolSource[]): ToolSources {
    this.stop();
    return new ToolSources([...this.#sources, ...sources], this.#surroundings);
  }

  /** Listens to no more changes. */
  stop(): void {
    for (const stop of this.#stops) stop();
  }

  #forget(): void {
    this.#snapshot = undefined;
  }

  #take(): ToolSnapshot {
    const tools = new Map<string, AgentTool>();
    const origins = new Map<AgentTool, ToolOrigin>();
    for (const source of this.#sources) {
      for (const tool of source.tools()) {
        if (tools.has(tool.name)) continue;
        tools.set(tool.name, tool);
        origins.set(tool, source.origin);
      }
    }
    const offered = [...tools.values()];
    const originOf = (tool: AgentTool): ToolOrigin => origins.get(tool) ?? "builtin";
    return { tools: offered, registry: toolRegistry(offered, this.#surroundings, originOf) };
  }
}
