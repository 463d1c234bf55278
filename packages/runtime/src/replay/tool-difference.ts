import type { ImageContent, JsonObject, TextContent } from "@mdx-ai/models";

/** What a model is told of a call. */
export interface ToolAnswer {
  readonly content: readonly (TextContent | ImageContent)[];
  readonly isError: boolean;
}

/** A call that does not give what it gave when it was recorded. */
export interface ToolDifference {
  readonly prompt: number;
  /** Such as "tool:3:call_1". */
  readonly step: string;
  /** As the author calls the tool. */
  readonly name: string;
  readonly arguments: JsonObject;
  readonly recorded: ToolAnswer;
  readonly now: ToolAnswer;
}
