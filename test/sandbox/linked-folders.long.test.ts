import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { protectedPaths } from "@mdx-ai/permissions";
import { Sandbox } from "@mdx-ai/sandbox";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** What a command says in the sandbox of `real/agent`, by other names of it and of the folder where the user stands. */
async function saidFrom(agentName: string, standing: string): Promise<string> {
  using folder = temporaryDirectory();
  const home = join(folder.path, "home");
  mkdirSync(home);
  mkdirSync(join(folder.path, "real/agent"), { recursive: true });
  symlinkSync("agent", join(folder.path, "real/link to agent"));
  symlinkSync("real", join(folder.path, "linked"));
  const agentDir = join(folder.path, agentName);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home };
  const policy = { mode: "required", network: "none", read: [], write: [] } as const;
  const cwd = join(folder.path, standing);
  const sandbox = new Sandbox({
    ...{ agentDir, cwd, environment, policy, toolHostCommand: toolHostCommand() },
    lists: () => protectedPaths({ environment }),
  });
  const commandSandbox = await sandbox.contain({ purpose: "shell" });
  const command = ["/bin/sh", "-c", "cd -P . && pwd && touch made && ls"];
  const child = await commandSandbox?.start({ command, cwd: agentDir, environment, hasChannel: false });
  const textOf = async (output?: ReadableStream<Uint8Array>): Promise<string> =>
    Buffer.concat(await Array.fromAsync(output ?? [])).toString();
  const said = await Promise.all([textOf(child?.stdout), textOf(child?.stderr)]);
  commandSandbox?.release();
  await sandbox.close();
  return said.join("").replaceAll(folder.path, "");
}

describe.skipIf(requireProgram("bwrap"))("an agent directory below /tmp is found in the sandbox", () => {
  test.each([
    ["real/agent", "real"],
    ["real/link to agent", "real"],
    ["real/link to agent", "linked"],
    ["real/link to agent", "home"],
    ["linked/agent", "real"],
    ["linked/link to agent", "real"],
    ["linked/link to agent", "linked"],
    ["linked/link to agent", "linked/link to agent"],
    ["linked/link to agent", "real/agent"],
    ["linked/link to agent", "."],
  ])("by the name %j, with the current folder %j", async (name, standing) => {
    const said = await saidFrom(name, standing);
    expect(said).toStartWith("/real/agent\n");
    expect(said).toContain("\nmade\n");
  });
});

describe.skipIf(requireProgram("bwrap"))("an agent directory that is named by a link", () => {
  const REPLACE = `
    const { mkdirSync, rmSync, writeFileSync } = await import("node:fs");
    rmSync(process.env.HOME + "/link");
    mkdirSync(process.env.HOME + "/link");
    writeFileSync(process.env.HOME + "/link/lib.ts", "export default 'forged'");
    return "replaced";`;

  test("is the folder of a tool, even if another tool replaces the link", async () => {
    await using bench = openSandboxBench({ link: "link", files: { "lib.ts": "export default 'true'" } });
    expect(await bench.tool(REPLACE)).toEqual({ text: "replaced", isError: false });
    const used = 'return [(await import("./lib.ts")).default, process.cwd(), ctx.agentDir, ctx.cwd].join(" ")';
    const { directory } = bench;
    expect(await bench.tool(used)).toEqual({ text: `true ${directory} ${directory} ${directory}`, isError: false });
  });

  test("is the folder of a command, even if another command replaces the link", async () => {
    await using bench = openSandboxBench({ link: "link", files: { "run.sh": "echo true" } });
    await bench.bash("rm ~/link && mkdir ~/link && echo echo forged > ~/link/run.sh");
    expect(await bench.bash("sh run.sh && pwd")).toEqual({ text: `true\n${bench.directory}\n`, isError: false });
  });
});
