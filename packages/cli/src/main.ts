// The entry of the program, and the only place that ends the process.
import { TOOL_HOST } from "@mdx-ai/tools/tool-host-command";

if (
  process.argv[2] === TOOL_HOST &&
  (process.env["MDX_AI_TOOL_CHANNEL"] !== undefined || process.argv[3] === "--bridge")
) {
  // The child that runs inline tools, or connects a sandbox to its proxy, loads nothing of the program.
  const { runToolHostProcess } = await import("@mdx-ai/tools/tool-host-process");
  await runToolHostProcess();
} else {
  const { runProgram } = await import("./run-program.ts");
  process.exit(await runProgram(process.argv.slice(2)));
}
