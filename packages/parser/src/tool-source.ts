import type { SourcePoint } from "./types/diagnostic.ts";

/** A file that the `src` of a `<Tool>` names, at the place of that attribute in agent.mdx. */
export interface ToolSource extends SourcePoint {
  /** Relative to the agent directory, separated by "/"; the `code.file` of the tools that it belongs to. */
  readonly path: string;
}
