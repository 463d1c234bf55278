// Prints the milliseconds of the first command of the shell in this process: `first-command.ts DIRECTORY MODE`, where the mode is
// one of the sandbox. What a program has loaded when it has opened an agent is loaded, and nothing else.

import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { protectedPaths } from "../packages/permissions/src/protected-paths.ts";
import { Sandbox } from "../packages/sandbox/src/sandbox.ts";
import { bashTool } from "../packages/tools/src/bash.ts";
import { toolContext } from "../test/support/tool-context.ts";
import "@mdx-ai/runtime";
import "@mdx-ai/sandbox/imports";

const [agentDir = "", mode] = process.argv.slice(2);
const surroundings = { agentDir, cwd: agentDir, environment: process.env };
const sandbox = new Sandbox({
  ...{ ...surroundings, toolHostCommand: toolHostCommand() },
  lists: () => protectedPaths({ environment: process.env }),
  policy: { mode: mode === "off" ? "off" : "required", network: "none", read: [], write: [] },
});
const tool = bashTool({ ...surroundings, sandbox });
const start = performance.now();
await tool.execute({ command: ":" }, toolContext(agentDir));
console.log(performance.now() - start);
await sandbox.close();
