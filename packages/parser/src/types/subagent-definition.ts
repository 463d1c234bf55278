import type { SourcePoint } from "./diagnostic.ts";

/** Another agent that works as a tool: an `<Agent>` of agent.mdx, or a Markdown file in `agents/`. */
export interface SubagentDefinition {
  /** The name of the tool; see `wireNames` for what a model receives. */
  readonly name: string;
  /** When to call it. */
  readonly description: string;
  /** Its directory or Markdown file, relative to the agent directory or absolute, separated by "/". */
  readonly src: string;
  /** Whether a call returns at once, and its result comes later as a message. */
  readonly background?: true;
  /** The file that declares it, relative to the agent directory, separated by "/". */
  readonly file: string;
  /** In that file. */
  readonly position: SourcePoint;
}
