import type { JsonObject } from "@mdx-ai/models";
import type { AgentTool, ToolContext } from "../types/tool.ts";
import type { ToolOutcome } from "../types/tool-registry.ts";
import { boundResult, tellDropped } from "./bounded-result.ts";
import { errorText } from "./error-text.ts";
import { textResult, toToolResult } from "./to-tool-result.ts";
import { untilAborted } from "./until-aborted.ts";
import { argumentsCheck } from "./validate-arguments.ts";

/** Checks the arguments of a call and fills in defaults, then runs it as `runTool` does. Never rejects. */
export async function executeTool(tool: AgentTool, args: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const check = argumentsCheck(tool.parameters);
  const refusal = check.refusal(args);
  return refusal === undefined ? runTool(tool, check.filled(args), context) : failure(refusal);
}

/**
 * Runs one call of a tool whose arguments were checked. A throw, a value that is not JSON and an abort (at once, even if
 * the tool does not heed the signal) are error results. Text over 32,000 characters is cut, with the number dropped.
 * Never rejects.
 */
export async function runTool(tool: AgentTool, args: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  try {
    const value: unknown = await untilAborted(async () => tool.execute(args, context), context.signal);
    const result = tellDropped(boundResult(toToolResult(value)));
    return { ...result, isError: result.isError === true };
  } catch (error) {
    return failure(errorText(error));
  }
}

function failure(text: string): ToolOutcome {
  return { ...textResult(text), isError: true };
}
