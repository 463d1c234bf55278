import { plugin } from "bun";
import { isRecord } from "../../../record.ts";
import type { AgentFile } from "../../host-messages.ts";
import { jsx, jsxModules } from "./jsx-runtime.ts";
import { resolveElements } from "./resolve-elements.ts";
import { hypertextToMarkdown } from "./to-markdown.ts";

export { programMap } from "./program-map.ts";

/** Evaluates a compiled document, which stands where the agent's file stands, and gives its Markdown. Rejects with what its code throws. */
export async function renderProgram({ path }: AgentFile, program: string): Promise<string> {
  plugin({
    name: "agent-document",
    setup: (build) => {
      for (const [name, exports] of Object.entries(jsxModules))
        build.module(name, () => ({ exports, loader: "object" }));
      build.module(path, () => ({ contents: program, loader: "js" }));
    },
  });
  const module: unknown = await import(path);
  const document = jsx(isRecord(module) ? module["default"] : undefined);
  return hypertextToMarkdown(await resolveElements(document));
}
