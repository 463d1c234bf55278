import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { protectedPaths } from "../../packages/permissions/src/protected-paths.ts";
import { Sandbox } from "../../packages/sandbox/src/sandbox.ts";
import { bashTool } from "../../packages/tools/src/bash.ts";
import { toolContext } from "./tool-context.ts";

// Runs a command, by default for ever, contained, in the agent directory that its argument names.
const [agentDir = "/", command = "sleep 1000; :"] = process.argv.slice(2);
const surroundings = { agentDir, cwd: agentDir, environment: process.env };
const policy = { mode: "required", network: "none", read: [], write: [] } as const;
const sandbox = new Sandbox({
  ...{ ...surroundings, toolHostCommand: toolHostCommand(), policy },
  lists: () => protectedPaths(surroundings),
});
await bashTool({ ...surroundings, sandbox }).execute({ command, timeout: 1000 }, toolContext(agentDir));
