import { SourceMap } from "node:module";
import type { SourcePoint } from "@mdx-ai/parser";
import { plugin } from "bun";
import { isRecord } from "../../../record.ts";
import type { AgentFile } from "../../host-messages.ts";
import { jsx, jsxModules, resolveElements } from "./jsx.ts";
import { hypertextToMarkdown } from "./to-markdown.ts";

const INLINE_MAP = /\n\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)\s*$/;

/** Evaluates a compiled document as the module at the path of the agent's file, and returns its Markdown. Rejects with what its code throws. */
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

/** Finds the position in the document for one in its compiled program. */
export type ProgramMap = (point: SourcePoint) => SourcePoint | undefined;

/** The source map in the last line of a program; without one, no position is known. */
export function programMap(program: string): ProgramMap {
  const [, encoded] = INLINE_MAP.exec(program) ?? [];
  if (encoded === undefined) return () => undefined;
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString("utf8")));
  return ({ line, column }) => {
    const entry: unknown = map.findEntry(line - 1, column - 1);
    if (!isRecord(entry) || typeof entry["originalLine"] !== "number") return undefined;
    return { line: entry["originalLine"] + 1, column: Number(entry["originalColumn"]) + 1 };
  };
}
