import type { ToolContext, ToolResult } from "@mdx-ai/loop";

/** What a tool gets in a test, and the lines that it logs. */
export interface TestContext extends ToolContext {
  readonly lines: readonly string[];
  /** What the tool told of its result while it ran. */
  readonly partials: readonly (string | ToolResult)[];
}

/** A context for tools whose folders are all `directory`. */
export function toolContext(directory: string, signal: AbortSignal = new AbortController().signal): TestContext {
  const lines: string[] = [];
  const partials: (string | ToolResult)[] = [];
  return {
    agentDir: directory,
    cwd: directory,
    sessionId: "main",
    callId: "call_1",
    signal,
    lines,
    update: (partial) => {
      partials.push(partial);
    },
    partials,
    log: async (line) => {
      lines.push(line);
    },
  };
}

/** All text of a result. */
export function textOf(result: {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}): string {
  return result.content.map((block) => block.text ?? "").join("");
}
