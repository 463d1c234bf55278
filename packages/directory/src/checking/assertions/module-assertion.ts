import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourcePoint } from "@mdx-ai/parser";
import { jsonText } from "../../text/json-text.ts";
import { pointAt } from "../source-positions.ts";
import type { TypeAssertion } from "./assertion-file.ts";

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
