// `npm run bench:sandbox`: what containment costs: the first command of a program, that of an agent in a program that ran
// others, each later one, and a new process of a tool, contained and bare in turn.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { protectedPaths } from "../packages/permissions/src/protected-paths.ts";
import { Sandbox } from "../packages/sandbox/src/sandbox.ts";
import { bashTool } from "../packages/tools/src/bash.ts";
import { ToolHost } from "../packages/tools/src/tool-host/tool-host.ts";
import { compile } from "../scripts/build-executable.ts";
import { toolDoing } from "../test/support/tool-bench.ts";
import { toolContext } from "../test/support/tool-context.ts";

const ROUNDS = 30;
/** Milliseconds that the first command, with the probe, may cost more than a bare one; and each later one. */
const MAX_AT_FIRST = 40;
const MAX_LATER = 4;

/** Milliseconds after each command, as a model's turn lies there: the shell of the next one is started meanwhile, and slows down neither kind. */
const PAUSE = 20;

type Mode = "required" | "off";

const workshop = realpathSync(mkdtempSync(join(tmpdir(), "mdx-ai-bench-")));
const agentDir = join(workshop, "agent");
mkdirSync(agentDir);
writeFileSync(join(agentDir, "agent.mdx"), "# Agent: Bench\n");

/** Compiled as the program is: from source, loading what contains takes as long as starting it. */
const firstCommand = join(workshop, "first-command");
await compile([join(import.meta.dir, "first-command.ts")], { outfile: firstCommand });
const surroundings = { agentDir, cwd: agentDir, environment: process.env };

async function measured(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const openOne = (mode: Mode): Sandbox =>
  new Sandbox({
    ...surroundings,
    toolHostCommand: toolHostCommand(),
    lists: () => protectedPaths({ environment: process.env }),
    policy: { mode, network: "none", read: [], write: [] },
  });

/** A command of the shell that does nothing. */
function shell(sandbox: Sandbox): Promise<number> {
  const tool = bashTool({ ...surroundings, sandbox });
  return measured(() => tool.execute({ command: ":" }, toolContext(agentDir)));
}

/** In a new process, which has not loaded what contains. */
async function firstShellOfAll(mode: Mode): Promise<number> {
  const child = Bun.spawn([firstCommand, agentDir, mode], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const milliseconds = Number.parseFloat(await child.stdout.text());
  if (Number.isNaN(milliseconds)) throw new Error("the first command of a process has failed");
  return milliseconds;
}

async function firstShell(mode: Mode): Promise<number> {
  const sandbox = openOne(mode);
  const milliseconds = await shell(sandbox);
  await sandbox.close();
  return milliseconds;
}

let processes = 0;

/** The call of a tool for which a process is started: each tool has its own. */
function newProcess(host: ToolHost): Promise<number> {
  processes += 1;
  return measured(() => host.call(toolDoing(`return ${processes}`), {}, toolContext(agentDir)));
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

async function compare(name: string, most: number, run: (mode: Mode) => Promise<number>): Promise<boolean> {
  await run("required");
  const bare: number[] = [];
  const contained: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await run("off"));
    await Bun.sleep(PAUSE);
    contained.push(await run("required"));
    await Bun.sleep(PAUSE);
  }
  const [less, more] = [median(bare), median(contained)];
  const figures = `bare ${less.toFixed(1)} ms, contained ${more.toFixed(1)} ms (× ${(more / less).toFixed(2)})`;
  console.log(`${name}: ${figures}: ${(more - less).toFixed(1)} ms more, ${most} allowed`);
  return more - less <= most;
}

const sandboxes = { required: openOne("required"), off: openOne("off") };
const hostIn = (sandbox: Sandbox): ToolHost => new ToolHost({ ...surroundings, command: toolHostCommand(), sandbox });
const hosts = { required: hostIn(sandboxes.required), off: hostIn(sandboxes.off) };
const isFast = [
  await compare("the first command of a program, with the probe", MAX_AT_FIRST, firstShellOfAll),
  await compare("the first command of another agent, with the probe", MAX_AT_FIRST, firstShell),
  await compare("a later command of the shell", MAX_LATER, (mode) => shell(sandboxes[mode])),
  await compare("a new process of a tool", MAX_LATER, (mode) => newProcess(hosts[mode])),
];
for (const host of Object.values(hosts)) await host.close();
rmSync(workshop, { recursive: true });
process.exitCode = isFast.includes(false) ? 1 : 0;
