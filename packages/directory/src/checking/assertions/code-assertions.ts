import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parametersSchema, type SourcePoint, type ToolDefinition } from "@mdx-ai/parser";
import { jsonText } from "../../text.ts";
import { pointAt, positionInSource } from "../source-positions.ts";
import { schemaShape } from "../type-shape.ts";
import { accepts, type TypeAssertion } from "./assertion-file.ts";
import { parameterAssertions } from "./parameter-assertions.ts";
import { parameterPositions } from "./parameter-positions.ts";

/** States that a tool's function `execute`, whose type is `type`, can be called as the runtime calls it. */
export function executeAssertions(tool: ToolDefinition, type: string): readonly TypeAssertion[] {
  const { code, schema } = tool;
  const shape = schemaShape(parametersSchema(tool));
  const source = schema === undefined ? "the `<Param>` tags" : "the `json schema`";
  const parameters = parameterAssertions(shape, `Argument<${type}, "0">`, source);
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

/** States that the default export of a module of the directory can be a module; `index` is unique within the agent. */
export function moduleAssertion(agentDir: string, module: string, index: number): TypeAssertion {
  return {
    text: `import module${index} from ${jsonText(`./${module}`)}; module${index} satisfies AgentModule;`,
    report: () => ({
      file: module,
      ...exportPosition(join(agentDir, module)),
      severity: "error",
      rule: "module-types",
      message: "the default export is not an `AgentModule`",
    }),
  };
}

function exportPosition(path: string): SourcePoint {
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  return pointAt(text, Math.max(0, text.search(/^export default\b/m)));
}
