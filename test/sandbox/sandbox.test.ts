import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { protectedPaths } from "@mdx-ai/permissions";
import { Sandbox, SandboxMissingError, sandboxPolicy } from "@mdx-ai/sandbox";
import { noProcessesOf } from "../support/remaining-processes.ts";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

describe("the user's word goes over the directory's, which can only narrow it:", () => {
  test.each([
    [undefined, undefined, { mode: "auto", network: "none" }],
    [undefined, "off", { mode: "auto", network: "none" }],
    [undefined, "required", { mode: "required", network: "none" }],
    [{ mode: "auto" }, "required", { mode: "required", network: "none" }],
    [{ mode: "off" }, "required", { mode: "off", network: "none" }],
    [{ mode: "required" }, "off", { mode: "required", network: "none" }],
    [undefined, { network: ["a.example"] }, { mode: "auto", network: ["a.example"] }],
    [undefined, { network: "all" }, { mode: "auto", network: "all" }],
    [{ network: "all" }, { network: ["a.example"] }, { mode: "auto", network: ["a.example"] }],
    [{ network: ["a.example"] }, { network: "all" }, { mode: "auto", network: ["a.example"] }],
    [
      { network: ["a.example", "b.example"] },
      { network: ["b.example", "c.example"] },
      { mode: "auto", network: ["b.example"] },
    ],
  ] as const)("%j over %j is %j", (user, directory, policy) => {
    expect(sandboxPolicy(user, directory)).toStrictEqual({ ...policy, read: [], write: [] });
  });

  test("the paths that are shown and written are the user's alone", () => {
    const paths = { read: ["/data/of/user"], write: ["/work/of/user"] };
    const asked = { read: ["/etc"], write: ["/"] };
    expect(sandboxPolicy(paths, asked)).toStrictEqual({ mode: "auto", network: "none", ...paths });
    expect(sandboxPolicy(undefined, asked)).toMatchObject({ read: [], write: [] });
  });
});

describe("without bubblewrap", () => {
  const environment = { PATH: "/nowhere" };

  test("what runs is bare, which is said once", async () => {
    await using bench = openSandboxBench({ mode: "auto", environment });
    expect(await bench.bash("echo 1 > agent.mdx && echo written")).toMatchObject({ text: "written\n" });
    expect(await bench.tool("return 1")).toMatchObject({ text: "1" });
    expect(bench.warnings).toStrictEqual([
      "the shell and the tools of agent.mdx are not contained: bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap); a command runs only if you or a rule allow it, and tools have your access",
    ]);
  });

  test("that is in a folder which can be changed, the reason names the folder", async () => {
    using home = temporaryDirectory();
    const [agentDir, bin] = [join(home.path, "agent"), join(home.path, ".local/bin")];
    mkdirSync(agentDir);
    await Bun.write(join(bin, "bwrap"), "#!/bin/sh\n");
    chmodSync(join(bin, "bwrap"), 0o755);
    const why = async (cwd: string, write: readonly string[]): Promise<unknown> => {
      const policy = { mode: "auto", network: "none", read: [], write } as const;
      const sandbox = new Sandbox({
        ...{ agentDir, cwd, environment: { PATH: bin }, policy, toolHostCommand: [] },
        lists: () => protectedPaths({ environment: {} }),
      });
      return sandbox.state();
    };
    expect(await why(home.path, [])).toEqual({
      contained: false,
      why: `bwrap is in ${bin}, which is in the current folder, so it is not used; start elsewhere`,
    });
    expect(await why(agentDir, [home.path])).toEqual({
      contained: false,
      why: `bwrap is in ${bin}, which the agent may write to, so it is not used; remove it from sandbox.write`,
    });
  });

  test("nothing opens where a sandbox is required, and what is started all the same does not run", async () => {
    await using bench = openSandboxBench({ mode: "required", environment });
    expect(bench.sandbox.ready()).rejects.toThrow(SandboxMissingError);
    const refused = { isError: true, text: expect.stringContaining("the sandbox is required, but not available") };
    expect([await bench.bash("echo ran"), await bench.tool("return 'ran'")]).toEqual([refused, refused]);
    expect(bench.warnings).toStrictEqual([]);
  });

  test("nothing is said where the sandbox is turned off", async () => {
    await using bench = openSandboxBench({ mode: "off", environment });
    expect(await bench.sandbox.state()).toMatchObject({ contained: false });
    expect(bench.warnings).toStrictEqual([]);
  });

  test.skipIf(requireProgram("bwrap"))("that works, the first line of its complaint is reported", async () => {
    await using bench = openSandboxBench({ mode: "auto" });
    const program = join(bench.home, "bin/bwrap");
    await Bun.write(program, "#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n");
    chmodSync(program, 0o755);
    await using broken = openSandboxBench({ mode: "auto", environment: { PATH: `${bench.home}/bin:/usr/bin:/bin` } });
    expect(await broken.sandbox.state()).toEqual({
      contained: false,
      why: "bubblewrap does not work here: bwrap: No permissions",
    });
  });
});

describe.skipIf(requireProgram("bwrap"))("a tool that says which files it touches", () => {
  const attempts = (...expressions: readonly string[]): string =>
    `const fs = require("node:fs"); const { agentDir, cwd } = ctx;
    const attempt = (work) => { try { return String(work() ?? "done"); } catch (error) { return error.code; } };
    return [${expressions.map((expression) => `attempt(() => ${expression})`)}].join();`;

  test("sees those, its own code and nothing else of the agent directory", async () => {
    const files = {
      "data/a.txt": "a",
      "secret.txt": "s",
      "lib/helper.ts": 'export * from "./more.ts";',
      "lib/more.ts": 'export const word = "imported";',
    };
    await using bench = openSandboxBench({ files });
    const body = attempts(
      "fs.readFileSync(agentDir + '/data/a.txt')",
      "fs.readFileSync(agentDir + '/secret.txt')",
      "fs.writeFileSync(agentDir + '/data/a.txt', 'x')",
      "fs.writeFileSync(agentDir + '/secret.txt', 'x')",
      "fs.readdirSync(process.env.HOME).length",
    );
    const tool = { files: { read: ["data/**"], write: [] } };
    expect(await bench.tool(body, tool)).toMatchObject({ text: "a,ENOENT,EROFS,EROFS,1" });
    expect(await bench.tool('return (await import("./lib/helper.ts")).word', tool)).toMatchObject({ text: "imported" });
  });
});

describe.skipIf(requireProgram("bwrap"))("an agent that is closed", () => {
  test("while the process of a tool is about to start leaves no process behind", async () => {
    await using bench = openSandboxBench();
    await bench.sandbox.state();
    const answer = bench.tool("return 1");
    await bench.close();
    expect(await answer).toEqual({ text: expect.stringContaining("the tool host"), isError: true });
    await noProcessesOf(bench.home);
  });
});
