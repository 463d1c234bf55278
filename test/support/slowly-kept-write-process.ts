/** Writes a file of 1 MB in the folder named as its argument, whose former content is kept slowly, and prints the result as JSON. */
import { executeTool } from "@mdx-ai/tools";
import type { BuiltinToolContext, FileKeeper } from "../../packages/loop/src/types/tool.ts";
import { writeFileTool } from "../../packages/tools/src/write-file.ts";
import { textOf, toolContext } from "./tool-context.ts";

const keeper: FileKeeper = {
  keep: () => Bun.sleep(100),
  saw: () => {},
  seen: () => new Map(),
};
const kept = (context: BuiltinToolContext): BuiltinToolContext => ({ ...context, keeper });
const tool = writeFileTool();
const args = { path: "a.txt", content: "x".repeat(1_000_000) };
const result = await executeTool(
  { ...tool, execute: (given, context) => tool.execute(given, kept(context)) },
  args,
  toolContext(process.argv[2] ?? ""),
);
console.log(JSON.stringify({ text: textOf(result), isError: result.isError }));
