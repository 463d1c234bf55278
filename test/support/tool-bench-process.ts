import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { ToolHost } from "../../packages/tools/src/tool-host/tool-host.ts";
import { toolDoing } from "./tool-bench.ts";
import { textOf, toolContext } from "./tool-context.ts";

/** What a program does that runs a tool and is killed meanwhile: writes "begun" when the tool has begun. */
export async function callForEver(directory: string, body: string): Promise<void> {
  const log = async (line: string): Promise<void> => console.log(line);
  await hostOf(directory).call(toolDoing(`await ctx.log("begun");\n${body}`), {}, { ...toolContext(directory), log });
}

/** What a program does that runs a tool and ends without closing its tool host. */
export async function callOnce(directory: string): Promise<void> {
  await hostOf(directory).call(toolDoing("return 1"), {}, toolContext(directory));
}

/** What a program does that takes up a gigabyte while a tool runs: writes the tool's result. */
export async function callWhileGrowing(directory: string): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const gate = join(directory, "gate");
  const body = `await ctx.log("begun");
    while (!require("node:fs").existsSync(${JSON.stringify(gate)})) await Bun.sleep(10);
    return "done"`;
  const host = hostOf(directory);
  const running = host.call(toolDoing(body), {}, { ...toolContext(directory), log: async () => begun.resolve() });
  await begun.promise;
  await Bun.sleep(500);
  const taken = Buffer.alloc(1_000_000_000, 1);
  await Bun.sleep(500);
  writeFileSync(gate, "");
  console.log(textOf(await running), taken.length);
  await host.close();
}

function hostOf(directory: string): ToolHost {
  return new ToolHost({ command: toolHostCommand(), agentDir: directory, cwd: directory, environment: process.env });
}
