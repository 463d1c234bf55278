// `npm run bench:sandbox`: what containment costs a command of the shell and the first call of a tool, each started again
// and again, contained and bare in turn.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox } from "../packages/runtime/src/sandbox/sandbox.ts";
import { ToolHost } from "../packages/runtime/src/tool-host/tool-host.ts";
import { bashTool } from "../packages/runtime/src/tools/bash.ts";
import { toolDoing } from "../test/support/tool-bench.ts";
import { toolContext } from "../test/support/tool-context.ts";
import { toolHostCommand } from "../test/support/tool-host-command.ts";

const ROUNDS = 30;
const MOST_MILLISECONDS = 40;

const agentDir = realpathSync(mkdtempSync(join(tmpdir(), "mdx-ai-bench-")));
writeFileSync(join(agentDir, "agent.mdx"), "# Agent: Bench\n");
const surroundings = { agentDir, cwd: agentDir, environment: process.env };

async function measured(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const openOne = (mode: "required" | "off"): Sandbox =>
  new Sandbox({ ...surroundings, toolHostCommand, policy: { mode, network: "none", read: [], write: [] } });

/** A command of the shell that does nothing. */
async function shell(mode: "required" | "off", sandbox = openOne(mode)): Promise<number> {
  const tool = bashTool({ ...surroundings, sandbox });
  await sandbox.state();
  return measured(() => tool.execute({ command: ":" }, toolContext(agentDir)));
}

/** The first call of a tool, for which a process is started. */
async function firstCall(mode: "required" | "off"): Promise<number> {
  const sandbox = openOne(mode);
  await sandbox.state();
  const host = new ToolHost({ ...surroundings, command: toolHostCommand, sandbox });
  try {
    return await measured(() => host.call(toolDoing("return 1"), {}, toolContext(agentDir)));
  } finally {
    await host.close();
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

async function compare(name: string, run: (mode: "required" | "off") => Promise<number>): Promise<boolean> {
  const bare: number[] = [];
  const contained: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await run("off"));
    contained.push(await run("required"));
  }
  const [less, more] = [median(bare), median(contained)];
  const figures = `bare ${less.toFixed(1)} ms, contained ${more.toFixed(1)} ms (× ${(more / less).toFixed(2)})`;
  console.log(`${name}: ${figures}: ${(more - less).toFixed(1)} ms more, ${MOST_MILLISECONDS} allowed`);
  return more - less < MOST_MILLISECONDS;
}

const shared = { required: openOne("required"), off: openOne("off") };
const isShellFast = await compare("a command of the shell", (mode) => shell(mode, shared[mode]));
const isFirstFast = await compare("the first call of a tool", firstCall);
await shared.required.close();
rmSync(agentDir, { recursive: true });
process.exitCode = isShellFast && isFirstFast ? 0 : 1;
