import type { SourcePoint } from "./diagnostic.ts";
import type { ToolExample } from "./tool-example.ts";

export type ParameterType = "string" | "number" | "boolean";

/** One `<Param>` of a `<Tool>`. */
export interface ParameterDefinition {
  readonly name: string;
  readonly type: ParameterType;
  readonly description: string;
  readonly required: boolean;
  readonly position: SourcePoint;
}

/** The fenced code block of a `<Tool>`. */
export interface ToolCode {
  /**
   * The code as Markdown gives it: without the fence and without the fence's indentation, with "\n" at the line ends.
   * Where a line is indented less than the fence, all lines keep what is beyond the least indentation.
   */
  readonly text: string;
  /** Where the first line of the code stands in the file. */
  readonly position: SourcePoint;
  /** How many columns Markdown took from the start of every line; added to a column of `text` it gives the file's. */
  readonly indent: number;
}

/** One `<Tool>` of agent.mdx. */
export interface ToolDefinition {
  /** As the author wrote it; see `wireNames` for what a model receives. */
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly ParameterDefinition[];
  readonly code: ToolCode;
  /** In the order of the file. */
  readonly examples: readonly ToolExample[];
  /** Names of the environment variables that the tool may see: its `env` attribute. */
  readonly environment: readonly string[];
  /** Seconds; absent where the author did not say. */
  readonly timeout?: number;
  readonly position: SourcePoint;
}
