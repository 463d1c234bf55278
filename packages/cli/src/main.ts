// The program's entry, and the only file that exits the process.
import { isCompiled } from "@mdx-ai/base/disk";
import { readTrailer } from "@mdx-ai/directory/trailer";
import { TOOL_HOST } from "@mdx-ai/tools/tool-host-command";

if (
  process.argv[2] === TOOL_HOST &&
  (process.env["MDX_AI_TOOL_CHANNEL"] !== undefined || process.argv[3] === "--bridge")
) {
  // The child process that runs inline tools or connects a sandbox to its proxy loads nothing else.
  const { runToolHostProcess } = await import("@mdx-ai/tools/tool-host-process");
  await runToolHostProcess();
} else {
  const args = process.argv.slice(2);
  const agent = isCompiled ? readTrailer(process.execPath) : undefined;
  if (agent !== undefined) {
    const { runBuiltAgent } = await import("./built/run-built-agent.ts");
    process.exit(await runBuiltAgent(args, agent));
  }
  const { runProgram } = await import("./run-program.ts");
  process.exit(await runProgram(args));
}
