import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";

describe.skipIf(requireProgram("bwrap"))("a tool that says which files it touches", () => {
  const attempts = (...expressions: readonly string[]): string =>
    `const fs = require("node:fs"); const { agentDir, cwd } = ctx;
    const attempt = (work) => { try { return String(work() ?? "done"); } catch (error) { return error.code; } };
    return [${expressions.map((expression) => `attempt(() => ${expression})`)}].join();`;

  test("writes where it says, and never onto what defines the agent", async () => {
    await using bench = openSandboxBench({ files: { "modules/a.ts": "mine" } });
    const body = attempts(
      "fs.writeFileSync(agentDir + '/out/new.txt', 'x')",
      "fs.writeFileSync(agentDir + '/modules/a.ts', 'x')",
      "fs.writeFileSync(agentDir + '/agent.mdx', 'x')",
    );
    const tool = { files: { read: [], write: ["out/*.txt", "modules/**", "agent.mdx"] } };
    expect(await bench.tool(body, tool)).toMatchObject({ text: "done,EROFS,EROFS" });
    expect(readFileSync(join(bench.directory, "out/new.txt"), "utf8")).toBe("x");
  });

  test("is not led out of the agent directory by a link that another tool made", async () => {
    await using bench = openSandboxBench({ files: { "agent.txt": "" } });
    writeFileSync(join(bench.home, "outside.txt"), "the user's");
    await bench.bash("ln -s .. out; ln -s ../outside.txt data.txt");
    const body = attempts(
      "fs.writeFileSync(agentDir + '/out/outside.txt', 'x')",
      "fs.readFileSync(agentDir + '/data.txt')",
    );
    const answer = await bench.tool(body, { files: { read: ["data.txt"], write: ["out/**"] } });
    expect(answer.text).toBe("ENOENT,ENOENT");
    expect(readFileSync(join(bench.home, "outside.txt"), "utf8")).toBe("the user's");
  });
});
