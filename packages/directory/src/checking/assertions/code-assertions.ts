import { readFileSync } from "node:fs";
import { join } from "node:path";
import { shortened } from "@mdx-ai/base";
import { parametersSchema, type SourcePoint, type ToolDefinition } from "@mdx-ai/parser";
import { jsonText } from "../../text.ts";
import { pointAt, positionInSource } from "../source-positions.ts";
import { schemaShape, typeText } from "../type-shape.ts";
import type { TypeAssertion } from "./assertion-file.ts";
import { executeOffset } from "./execute-offset.ts";

/** The maximum characters of a type in a hint. */
const MAX_LENGTH = 160;

/** Asserts that a tool's `execute`, of type `type`, accepts the declared parameters. */
export function executeAssertion(tool: ToolDefinition, type: string): TypeAssertion {
  const { code, schema } = tool;
  const shape = schemaShape(parametersSchema(tool));
  const source = schema === undefined ? "the `<Param>` tags" : "the `json schema`";
  return {
    // `any` fits every type.
    text: `null! as ${type} satisfies (params: ${typeText(shape, "any")}, ctx: ToolContext) => unknown;`,
    report: () => ({
      file: code.file ?? "agent.mdx",
      ...positionInSource(code, executeOffset(code.text)),
      severity: "error",
      rule: "tool-execute-type",
      message: `the type of \`execute\` does not fit ${source}`,
      hint: `write \`params: ${shortened(typeText(shape), MAX_LENGTH)}, ctx: ToolContext\`, or change ${source}`,
    }),
  };
}

/** Asserts that the default export of a module file is an `AgentModule`; `index` is unique within the agent. */
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
