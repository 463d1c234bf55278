import { parametersSchema, type ToolDefinition } from "@mdx-ai/parser";
import { schemaShape } from "../shapes/schema-shape.ts";
import { positionInSource } from "../source-positions.ts";
import { accepts, type TypeAssertion } from "./assertion-file.ts";
import { parameterAssertions } from "./parameter-assertions.ts";
import { parameterPositions } from "./parameter-positions.ts";

/** States that a tool's function `execute`, whose type is `type`, can be called as the runtime calls it. */
export function executeAssertions(tool: ToolDefinition, type: string): readonly TypeAssertion[] {
  const { code, schema } = tool;
  const shape = schemaShape(parametersSchema(tool));
  const parameters = parameterAssertions(shape, `Argument<${type}, "0">`, schema !== undefined);
  return [
    {
      text: accepts(`Stated<${type}>`, "Callable"),
      report: () => ({ ...partOf(code, "name"), ...NOT_CALLABLE }),
    },
    {
      text: accepts("ToolContext", `Argument<${type}, "1">`),
      report: () => ({ ...partOf(code, 1), ...OTHER_CONTEXT }),
    },
    ...parameters.map(({ text, message, hint }) => ({
      text,
      report: () => ({ ...partOf(code, 0), rule: "tool-params-drift", message, hint }),
    })),
  ];
}

/** The position of the name `execute`, or of one of its parameters; that of the name if there is no such parameter. */
function partOf(code: ToolDefinition["code"], part: "name" | number) {
  const { name, parameters } = parameterPositions(code.text);
  const offset = part === "name" ? name : (parameters[part] ?? name);
  return { file: code.file ?? "agent.mdx", ...positionInSource(code, offset), severity: "error" } as const;
}

const NOT_CALLABLE = {
  rule: "tool-execute",
  message: "`execute` is not a function",
  hint: "write `async function execute(params, ctx) { … }`",
} as const;

const OTHER_CONTEXT = {
  rule: "tool-context-drift",
  message: "the type of the context does not accept a `ToolContext`",
  hint: "it has `agentDir`, `cwd`, `signal`, `sessionId`, `callId`, `log(message)` and `update(partial)`",
} as const;
