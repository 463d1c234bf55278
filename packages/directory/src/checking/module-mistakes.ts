import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@mdx-ai/base";
import { type AgentDirectory, checkModule, type Diagnostic } from "@mdx-ai/parser";
import type { TypeCheck } from "./read-messages.ts";
import { pointAt } from "./source-positions.ts";

/** Modules that cannot be parsed or export no module: what can be said without a compiler. */
export function moduleMistakes({ path: agentDir, definition }: AgentDirectory): TypeCheck {
  const texts = new Map<string, string>();
  const diagnostics = definition.modules.flatMap((file): readonly Diagnostic[] => {
    // Reading the directory has reported a file that cannot be read.
    const text = attempt(() => readFileSync(join(agentDir, file), "utf8").replace(/^\uFEFF/, ""));
    if (text === undefined) return [];
    texts.set(file, text);
    return checkModule(text).map(({ offset, message, hint }) => ({
      ...{ file, ...pointAt(text, offset), severity: "error", rule: "module-types", message, hint },
    }));
  });
  return { diagnostics, files: [...texts.keys()].map((file) => join(agentDir, file)), texts };
}
