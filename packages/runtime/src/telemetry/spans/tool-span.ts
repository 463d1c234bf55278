import type { JsonObject } from "@mdx-ai/models";
import type { Attributes } from "@opentelemetry/api";
import type { ToolResult } from "../../types/tool.ts";
import { ATTRIBUTE, OPERATION } from "../conventions.ts";
import { resultText } from "./contents.ts";
import { TOOL_ERROR } from "./error-type.ts";

/** A call as it was told. Times are milliseconds since 1970. */
export interface ToldCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly start: number;
  /** Absent while it runs. */
  readonly ended?: { readonly at: number; readonly result: ToolResult; readonly isError: boolean };
}

/** The attributes of a tool call; with its arguments and its result where contents are asked for. */
export function toolAttributes({ id, name, args, ended }: ToldCall, hasContents: boolean): Attributes {
  return {
    [ATTRIBUTE.operation]: OPERATION.tool,
    [ATTRIBUTE.toolName]: name,
    [ATTRIBUTE.toolCallId]: id,
    [ATTRIBUTE.toolType]: "function",
    ...(ended?.isError !== false && { [ATTRIBUTE.errorType]: TOOL_ERROR }),
    ...(hasContents && { [ATTRIBUTE.toolArguments]: JSON.stringify(args) }),
    ...(hasContents && ended !== undefined && { [ATTRIBUTE.toolResult]: resultText(ended.result.content) }),
  };
}
