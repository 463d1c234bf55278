import { type JsonObject, untilAborted } from "@mdx-ai/base";
import {
  type AgentTool,
  type BuiltinTool,
  type BuiltinToolContext,
  errorResult,
  finishedResult,
  type ToolContext,
  type ToolOutcome,
} from "@mdx-ai/loop";
import { argumentsCheck } from "./arguments/arguments-check.ts";
import { errorText } from "./error-text.ts";

/** Corrects and checks the arguments of a call and fills in defaults, then runs it as `runTool` does. Never rejects. */
export async function executeTool(tool: AgentTool, given: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const check = argumentsCheck(tool);
  const args = await check.understood(given);
  const refusal = check.refusal(args);
  return refusal === undefined ? runTool(tool, check.filled(args), context) : errorResult(refusal);
}

/**
 * Runs one call with checked arguments. A throw, a value that is not JSON, and an abort (at once, even if the tool ignores the
 * signal) are error results; after an abort it begins with the output that the tool kept. Longer text is cut, with the number of
 * dropped characters. Never rejects.
 */
export async function runTool(tool: BuiltinTool, args: JsonObject, context: ToolContext): Promise<ToolOutcome> {
  const { signal } = context;
  let kept = "";
  const builtinContext: BuiltinToolContext = {
    ...context,
    keepOutput: (text) => {
      kept = text;
    },
  };
  try {
    const value: unknown = await untilAborted(async () => tool.execute(args, builtinContext), signal);
    const result = finishedResult(value, tool.outputLimit);
    return { ...result, isError: result.isError === true };
  } catch (error) {
    return errorResult(signal.aborted && error === signal.reason ? abortText(signal, kept) : errorText(error));
  }
}

/** The reason of an abort as text for the model, after the call's output so far. */
function abortText({ reason }: AbortSignal, output: string): string {
  const timedOut = reason instanceof Error && reason.name === "TimeoutError";
  const ending = timedOut ? "stopped: it timed out" : "aborted before it finished; its effects until then are unknown";
  return output.trim() === "" ? ending : `${output.trimEnd()}\n[${ending}]`;
}
