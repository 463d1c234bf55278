// Writes a.txt in the folder that is named, as a user who is not the superuser, and prints what the tool answers.
import { executeTool } from "@mdx-ai/tools";
import { writeFileTool } from "../../packages/tools/src/write-file.ts";
// Loaded late otherwise, by a user who may not read the clone.
import "../../packages/tools/src/writable-target.ts";
import "../../packages/tools/src/write-content.ts";
import { textOf, toolContext } from "./tool-context.ts";

const NOBODY = 65_534;

const [folder = ""] = process.argv.slice(2);
// The clone may lie where that user cannot read: a first call, which is refused, loads what is loaded late.
await executeTool(writeFileTool(), {}, toolContext(folder));
if (process.getuid?.() === 0) {
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
const result = await executeTool(writeFileTool(), { path: "a.txt", content: "new" }, toolContext(folder));
console.log(JSON.stringify({ text: textOf(result), isError: result.isError }));
