import type { JsonObject, Semaphore } from "@mdx-ai/base";
import type { BuiltinTool, ToolContext, ToolResult } from "@mdx-ai/loop";

/** How a tool that was written for pi-agent-core is executed. */
type PiExecute = (
  toolCallId: string,
  params: unknown,
  signal: AbortSignal,
  onUpdate: (partial: ToolResult) => void,
) => Promise<ToolResult>;

/** The members that only tools of pi-agent-core have. */
interface PiTool {
  readonly label: string;
  readonly execute: PiExecute;
  readonly prepareArguments?: (args: unknown) => unknown;
  readonly replay?: unknown;
  readonly executionMode?: unknown;
}

/** Whether a tool was written for pi-agent-core, whose tools have a `label` and are executed with the call's id first. */
export const isPiTool = (value: object): value is PiTool =>
  "label" in value && typeof value.label === "string" && executeOf(value) !== undefined;

/**
 * Why it is not clear which arguments a tool expects, by the number of its parameters: `(args, context)` here, `(toolCallId,
 * params, signal, onUpdate)` in pi-agent-core. Undefined if it is.
 */
export function argumentsMistake(tool: object): string | undefined {
  const length = executeOf(tool)?.length ?? 0;
  if (isPiTool(tool)) {
    if (length === 0 || (length >= 2 && length <= 4)) return undefined;
    return `unexpected execute with ${counted(length)} beside a label, which marks a tool of pi-agent-core; expected (toolCallId, params, signal, onUpdate), or no label`;
  }
  if (length <= 2) return undefined;
  return `unexpected execute with ${counted(length)}, expected (args, context); a tool of pi-agent-core has a label, too`;
}

/** A tool of pi-agent-core as one of this runtime: `execute`, and what its other members mean here. Sequential tools share `turns`. */
export function adaptedTool(
  tool: PiTool,
  turns: Semaphore,
): Pick<BuiltinTool, "execute" | "idempotent" | "prepareArguments"> {
  const execute = async (args: JsonObject, context: ToolContext): Promise<ToolResult> => {
    const { callId, signal, update } = context;
    return tool.execute(callId, args, signal, (partial) => update(partial));
  };
  return {
    ...(tool.replay === "safe" && { idempotent: true }),
    ...(tool.prepareArguments && { prepareArguments: (args) => tool.prepareArguments?.(args) }),
    execute: tool.executionMode === "sequential" ? (...call) => turns.run(() => execute(...call)) : execute,
  };
}

const counted = (parameters: number): string => (parameters === 1 ? "1 parameter" : `${parameters} parameters`);

function executeOf(tool: object): { readonly length: number } | undefined {
  const execute: unknown = Reflect.get(tool, "execute");
  return typeof execute === "function" ? execute : undefined;
}
