import { openToolHost } from "../../packages/runtime/src/tool-host/tool-host.ts";
import { toolDoing } from "./tool-bench.ts";
import { toolContext } from "./tool-context.ts";
import { toolHostCommand } from "./tool-host-command.ts";

/** What a program does that runs a tool and is killed meanwhile: writes "begun" when the tool has begun. */
export async function callForEver(directory: string, body: string): Promise<void> {
  const log = async (line: string): Promise<void> => console.log(line);
  await hostOf(directory).call(toolDoing(`await ctx.log("begun");\n${body}`), {}, { ...toolContext(directory), log });
}

/** What a program does that runs a tool and ends without closing its tool host. */
export async function callOnce(directory: string): Promise<void> {
  await hostOf(directory).call(toolDoing("return 1"), {}, toolContext(directory));
}

function hostOf(directory: string): ReturnType<typeof openToolHost> {
  return openToolHost({ command: toolHostCommand, agentDir: directory, cwd: directory, environment: process.env });
}
