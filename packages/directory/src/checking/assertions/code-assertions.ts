import { readFileSync } from "node:fs";
import { join } from "node:path";
import { closest, didYouMean, shortened } from "@mdx-ai/base";
import { type Diagnostic, parametersSchema, type SourcePoint, type ToolDefinition } from "@mdx-ai/parser";
import { jsonText } from "../../text.ts";
import type { CompilerMessage } from "../compiler.ts";
import { pointAt, positionInSource } from "../source-positions.ts";
import { schemaShape, typeText } from "../type-shape.ts";
import { MODULE_MEMBERS, type TypeAssertion, withReason } from "./assertion-file.ts";
import { functionOffset } from "./execute-offset.ts";

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
    report: (failures) =>
      withReason(
        {
          file: code.file ?? "agent.mdx",
          ...positionInSource(code, functionOffset(code.text, "execute")),
          severity: "error",
          rule: "tool-execute-type",
          message: `the type of \`execute\` does not fit ${source}`,
          hint: `write \`params: ${shortened(typeText(shape), MAX_LENGTH)}, ctx: ToolContext\`, or change ${source}`,
        },
        failures,
      ),
  };
}

/** Asserts that a gate or a check of heartbeat.md, of type `type`, can be called, and returns what the heartbeat understands. */
export const heartbeatAssertion = (
  name: "gate" | "done",
  code: ToolDefinition["code"],
  type: string,
): TypeAssertion => ({
  text: `null! as ${type} satisfies ${name === "gate" ? "Gate" : "Done"};`,
  report: (failures) =>
    withReason(
      {
        ...{ file: code.file ?? "heartbeat.md", severity: "error", rule: "heartbeat-types" },
        ...positionInSource(code, functionOffset(code.text, name)),
        message: `the type of \`${name}\` does not fit \`@${name}\``,
        hint: HEARTBEAT_HINTS[name],
      },
      failures,
    ),
});

const HEARTBEAT_HINTS = {
  gate: "take `ctx: GateContext`, and return false or `{ wake, message, state }`",
  done: "take `ctx: DoneContext`, and return true, or the reason as text",
} as const;

/**
 * Asserts that the default export of a module file is an `AgentModule` without functions whose names resemble its own; `index` is
 * unique within the agent.
 */
export function moduleAssertion(agentDir: string, module: string, index: number): TypeAssertion {
  const name = `module${index}`;
  return {
    text: `import ${name} from ${jsonText(`./${module}`)}; ${name} satisfies AgentModule; null! as OtherFunctions<typeof ${name}> satisfies never;`,
    report: (failures) => {
      const misspelled = failures.flatMap(otherFunctions).find((found) => closest(found, MODULE_MEMBERS) !== undefined);
      if (misspelled !== undefined) {
        const message = `\`${misspelled}\` is not a function of \`AgentModule\`, so nothing calls it`;
        return { ...problem(agentDir, module), message, hint: didYouMean(misspelled, MODULE_MEMBERS, "") };
      }
      const others = failures.filter((failure) => !isAboutOthers(failure));
      const message = "the default export is not an `AgentModule`";
      return others.length === 0 ? undefined : withReason({ ...problem(agentDir, module), message }, others);
    },
  };
}

/** Whether a message is about functions beside those of `AgentModule`. */
const isAboutOthers = ({ text }: CompilerMessage): boolean => text.endsWith("the expected type 'never'");

/** Their names. */
const otherFunctions = (failure: CompilerMessage): readonly string[] =>
  isAboutOthers(failure) ? Array.from(failure.text.matchAll(/"([^"]+)"/g), ([, name = ""]) => name) : [];

const problem = (agentDir: string, module: string): Omit<Diagnostic, "message"> => ({
  file: module,
  ...exportPosition(join(agentDir, module)),
  severity: "error",
  rule: "module-types",
});

function exportPosition(path: string): SourcePoint {
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  return pointAt(text, Math.max(0, text.search(/^export default\b/m)));
}
