import type { JsonObject } from "@mdx-ai/models";
import { untilAborted } from "../abort.ts";
import type { AgentTool, ToolContext } from "../types/tool.ts";
import type { ToolOutcome } from "../types/tool-registry.ts";
import { errorText } from "./error-text.ts";
import { errorResult, finishedResult } from "./tool-result.ts";
import { argumentsCheck } from "./validate-arguments.ts";

/** Checks the arguments of a call and fills in defaults, then runs it as `runTool` does. Never rejects. */
export async function executeTool(tool: AgentTool, args: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const check = argumentsCheck(tool.parameters);
  const refusal = check.refusal(args);
  return refusal === undefined ? runTool(tool, check.filled(args), context) : errorResult(refusal);
}

/**
 * Runs one call of a tool whose arguments were checked. A throw, a value that is not JSON and an abort (at once, even if
 * the tool ignores the signal) are error results. Text over the limit is cut, with the number of dropped characters.
 * Never rejects.
 */
export async function runTool(tool: AgentTool, args: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const { signal } = context;
  try {
    const value: unknown = await untilAborted(async () => tool.execute(args, context), signal);
    const result = finishedResult(value);
    return { ...result, isError: result.isError === true };
  } catch (error) {
    return errorResult(signal.aborted && error === signal.reason ? abortText(signal) : errorText(error));
  }
}

/** Why a signal fired, for the model. */
function abortText({ reason }: AbortSignal): string {
  const timedOut = reason instanceof Error && reason.name === "TimeoutError";
  return timedOut ? "stopped: its time was over" : "aborted before it finished; what it did until then is unknown";
}
