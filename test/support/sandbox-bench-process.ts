import { Sandbox } from "../../packages/runtime/src/sandbox/sandbox.ts";
import { bashTool } from "../../packages/runtime/src/tools/bash.ts";
import { toolContext } from "./tool-context.ts";
import { toolHostCommand } from "./tool-host-command.ts";

// Runs a command for ever, contained, in the agent directory that its argument names.
const [agentDir = "/"] = process.argv.slice(2);
const surroundings = { agentDir, cwd: agentDir, environment: process.env };
const sandbox = new Sandbox({
  ...surroundings,
  toolHostCommand,
  policy: { mode: "required", network: "none", read: [], write: [] },
});
await bashTool({ ...surroundings, sandbox }).execute(
  { command: "sleep 1000; :", timeout: 1000 },
  toolContext(agentDir),
);
