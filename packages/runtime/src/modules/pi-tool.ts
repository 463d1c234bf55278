import type { JsonObject, Semaphore } from "@mdx-ai/base";
import type { BuiltinTool, ToolContext, ToolResult } from "@mdx-ai/loop";

/** The `execute` of a tool written for pi-agent-core. */
type PiExecute = (
  toolCallId: string,
  params: unknown,
  signal: AbortSignal,
  onUpdate: (partial: ToolResult) => void,
) => Promise<ToolResult>;

/** Members that only pi-agent-core tools have. */
interface PiTool {
  readonly label: string;
  readonly execute: PiExecute;
  readonly prepareArguments?: (args: unknown) => unknown;
  readonly replay?: unknown;
  readonly executionMode?: unknown;
}

/** Whether a tool was written for pi-agent-core: it has a `label`, and its `execute` takes the call id first. */
export const isPiTool = (value: object): value is PiTool =>
  "label" in value && typeof value.label === "string" && executeOf(value) !== undefined;

/**
 * Why the number of a tool's parameters does not match its kind: `(args, context)` here, `(toolCallId,
 * params, signal, onUpdate)` in pi-agent-core. Undefined if it does.
 */
export function argumentsMistake(tool: object): string | undefined {
  const length = executeOf(tool)?.length ?? 0;
  if (isPiTool(tool)) {
    if (length === 0 || (length >= 2 && length <= 4)) return undefined;
    return `unexpected execute with ${counted(length)} and a label, which marks a pi-agent-core tool; expected (toolCallId, params, signal, onUpdate), or no label`;
  }
  if (length <= 2) return undefined;
  return `unexpected execute with ${counted(length)}, expected (args, context); a pi-agent-core tool also has a label`;
}

/** Adapts a pi-agent-core tool to this runtime. Sequential tools share `turns`. */
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
