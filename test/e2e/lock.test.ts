import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const homeWithAgent = (text = GREETING_AGENT): TemporaryDirectory => {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": text });
  return home;
};

const lockText = (home: TemporaryDirectory): string => readFileSync(join(home.path, "agent/agent.lock.json"), "utf8");

describe("mdx-ai lock", () => {
  test("writes the same text each time, without a path of the machine, and runs nothing", async () => {
    using home = homeWithAgent();
    writeFiles(home.path, { "agent/modules/run.ts": `require("node:fs").writeFileSync("ran", "");` });
    expect(await runCommandLine(["lock", "agent"], { home: home.path })).toMatchObject({ exitCode: 0, stderr: "" });
    const first = lockText(home);
    await runCommandLine(["lock"], { home: home.path, cwd: join(home.path, "agent") });
    expect(lockText(home)).toBe(first);
    expect(first).not.toContain(home.path);
    expect(first.split("\n").length).toBeGreaterThan(10);
    expect(readdirSync(join(home.path, "agent")).toSorted()).toStrictEqual([
      ...["agent.lock.json", "agent.mdx", "modules", "skills"],
    ]);
  });

  test("takes the empty folders that a sandbox of another process makes for what does not exist", async () => {
    using home = homeWithAgent();
    const reserved = [
      "agent.lock.json",
      "heartbeat.md",
      "AGENT.md",
      "modules",
      "package.json",
      "tsconfig.json",
      "HEAD",
    ];
    for (const name of reserved) mkdirSync(join(home.path, "agent", name));
    const check = (): Promise<CliResult> => runCommandLine(["lock", "agent", "--check"], { home: home.path });
    expect(await check()).toMatchObject({
      exitCode: 2,
      stderr: `mdx-ai: cannot read ${join(home.path, "agent/agent.lock.json")}; write it with mdx-ai lock\n`,
    });
    expect(await runCommandLine(["lock", "agent"], { home: home.path })).toMatchObject({ exitCode: 0 });
    for (const name of reserved.slice(1)) rmdirSync(join(home.path, "agent", name));
    expect(await check()).toMatchObject({ exitCode: 0 });
  });

  test("--check is 0 where all is as locked", async () => {
    using home = homeWithAgent();
    await runCommandLine(["lock", "agent"], { home: home.path });
    const result = await runCommandLine(["lock", "agent", "--check"], { home: home.path });
    expect(result).toStrictEqual({ exitCode: 0, stdout: "Everything matches the lock file.\n", stderr: "" });
  });

  test.each([
    ["code", ["Hello", "Hallo"], 'changed   ~ tool "greet": code\n'],
    ["a schema", ['type="number" required="false"', 'type="string" required="false"'], '"type": "string"'],
    [
      "a permission",
      ['description="Greet somebody"', 'description="Greet somebody" env="API_KEY"'],
      '+ tool "greet": variable API_KEY\n',
    ],
  ])(
    "--check is 1 where %s changed or widened, with a readable difference",
    async (_title, [from = "", to = ""], told) => {
      using home = homeWithAgent();
      await runCommandLine(["lock", "agent"], { home: home.path });
      writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT.replace(from, to) });
      const result = await runCommandLine(["lock", "agent", "--check"], { home: home.path });
      expect(result).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(told) });
      expect(result.stderr).toContain("mdx-ai lock ");
    },
  );

  test("--check is 0 where it only narrowed or prose changed, and says that the lock file is stale", async () => {
    using home = homeWithAgent(GREETING_AGENT.replace('somebody"', 'somebody" env="A,B"'));
    await runCommandLine(["lock", "agent"], { home: home.path });
    const text = GREETING_AGENT.replace('somebody"', 'somebody" env="A"').replace("Greet people.", "Greet everybody.");
    writeFiles(home.path, { "agent/agent.mdx": text });
    const result = await runCommandLine(["lock", "agent", "--check"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("out of date") });
    expect(result.stdout).toBe('narrowed  - tool "greet": variable B\nnoted     ~ prose\n');
    const json = await runCommandLine(["lock", "agent", "--check", "--json"], { home: home.path });
    expect(JSON.parse(json.stdout)).toMatchObject({
      isWider: false,
      differences: [{ grade: "narrowed" }, { grade: "noted" }],
    });
  });

  test.each([
    ["is missing", undefined],
    ["is not JSON", "{"],
    ["is of another version", '{"version": 2}'],
    ["says something else", '{"version": 1, "tools": []}'],
  ])("--check is 2 where the lock file %s", async (_title, text) => {
    using home = homeWithAgent();
    if (text !== undefined) writeFiles(home.path, { "agent/agent.lock.json": text });
    const result = await runCommandLine(["lock", "agent", "--check"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("mdx-ai lock") });
  });

  test("is 2 for a directory that is broken, or none", async () => {
    using home = homeWithAgent("# Agent: A\n\n<Tool>\n");
    expect(await runCommandLine(["lock", "agent"], { home: home.path })).toMatchObject({ exitCode: 2 });
    expect(await runCommandLine(["lock", "nowhere"], { home: home.path })).toMatchObject({ exitCode: 2 });
  });

  test("does not write through a link that a directory brought along", async () => {
    using home = homeWithAgent();
    writeFileSync(join(home.path, "precious"), "kept");
    symlinkSync("../precious", join(home.path, "agent/agent.lock.json"));
    expect(await runCommandLine(["lock", "agent"], { home: home.path })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(home.path, "precious"), "utf8")).toBe("kept");
  });
});
