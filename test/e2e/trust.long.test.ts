import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const homeWithAgent = (): TemporaryDirectory => {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
  return home;
};

const run = (home: TemporaryDirectory, directory: string): Promise<CliResult> => {
  const model = scriptReference(home.path, [{ text: "ok" }]);
  return runCli(["agent", directory, "--ephemeral", "--prompt", "hi", "--model", model], { home: home.path });
};

describe("trust", () => {
  test("is asked for before anything of the directory runs", async () => {
    using home = homeWithAgent();
    writeFiles(home.path, {
      "agent/modules/mark.ts": `require("node:fs").writeFileSync(${JSON.stringify(join(home.path, "mark"))}, "ran");`,
    });
    const result = await run(home, "agent");
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain("tools: 1, module files: 1");
    expect(readdirSync(home.path)).not.toContain("mark");
    expect(readdirSync(join(home.path, "agent")).sort()).toEqual(["agent.mdx", "modules", "skills"]);
  });

  test("is given for good by mdx-ai trust, in the user's state folder alone", async () => {
    using home = homeWithAgent();
    const trusted = await runCli(["trust", "agent"], { home: home.path });
    expect(trusted).toMatchObject({ exitCode: 0, stderr: "" });
    expect(trusted.stdout).toStartWith(`Trusted: ${join(home.path, "agent")} `);
    expect(await run(home, "agent")).toMatchObject({ exitCode: 0, stdout: "ok\n" });
    const file = join(home.path, ".local/state/mdx-ai/trust.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home.path, "agent")).sort()).toEqual(["agent.mdx", "skills"]);
  });

  test.each([["trust"], ["sessions"], ["inspect"]])(
    "%s of a folder that is no agent directory names what makes one",
    async (command) => {
      using home = temporaryDirectory();
      writeFiles(home.path, { "mine/CLAUDE.md": "Be kind.\n" });
      const { exitCode, stderr } = await runCli([command, join(home.path, "mine")], { home: home.path });
      expect([exitCode, stderr]).toEqual([
        2,
        `mdx-ai: ${join(home.path, "mine")} is not an agent directory: no agent.mdx in this directory; make an agent of its CLAUDE.md: mdx-ai init my-agent --from ${join(home.path, "mine")}\n`,
      ]);
    },
  );

  test("is not given for good by --trust", async () => {
    using home = homeWithAgent();
    expect(await runCli(["tool", "agent", "greet", "name=x", "--trust"], { home: home.path })).toMatchObject({
      exitCode: 0,
    });
    expect(await run(home, "agent")).toMatchObject({ exitCode: 3 });
  });

  test("is shown and taken back", async () => {
    using home = homeWithAgent();
    await runCli(["trust", "agent"], { home: home.path });
    const list = await runCli(["trust", "--list"], { home: home.path });
    expect(list.stdout).toStartWith(`${join(home.path, "agent")}  since 20`);
    expect(await runCli(["trust", "agent", "--remove"], { home: home.path })).toMatchObject({ exitCode: 0 });
    expect(await run(home, "agent")).toMatchObject({ exitCode: 3 });
  });

  test("can be taken back from a directory that is gone", async () => {
    using home = homeWithAgent();
    await runCli(["trust", "agent"], { home: home.path });
    renameSync(join(home.path, "agent"), join(home.path, "moved"));
    expect(await runCli(["trust", "agent", "--remove"], { home: home.path })).toMatchObject({ exitCode: 0 });
    expect(await run(home, "moved")).toMatchObject({ exitCode: 3 });
  });

  test("is for the real directory, through any link", async () => {
    using home = homeWithAgent();
    symlinkSync(join(home.path, "agent"), join(home.path, "link"));
    await runCli(["trust", "link"], { home: home.path });
    expect(await run(home, "agent")).toMatchObject({ exitCode: 0 });
    expect(await run(home, "link")).toMatchObject({ exitCode: 0 });
    writeFiles(home.path, { "other/agent.mdx": MINIMAL_AGENT });
    renameSync(join(home.path, "agent"), join(home.path, "moved"));
    symlinkSync(join(home.path, "other"), join(home.path, "agent"));
    expect(await run(home, "agent")).toMatchObject({ exitCode: 3 });
  });

  test("is not for what lies below a trusted directory", async () => {
    using home = homeWithAgent();
    writeFiles(home.path, { "agent/inner/agent.mdx": MINIMAL_AGENT });
    await runCli(["trust", "agent"], { home: home.path });
    expect(await run(home, "agent/inner")).toMatchObject({ exitCode: 3 });
  });

  test("honours XDG_STATE_HOME where it is absolute", async () => {
    using home = homeWithAgent();
    const options = { home: home.path, environment: { XDG_STATE_HOME: join(home.path, "state") } };
    await runCli(["trust", "agent"], options);
    expect(readdirSync(join(home.path, "state/mdx-ai"))).toEqual(["trust.json"]);
    expect((await runCli(["trust", "--list"], options)).stdout).toContain("agent");
  });

  test("cannot be brought along by a directory that holds the user's folders", async () => {
    using home = temporaryDirectory();
    const list = JSON.stringify({ version: 1, directories: { [home.path]: "2026-01-01T00:00:00.000Z" } });
    writeFiles(home.path, {
      "agent.mdx": MINIMAL_AGENT,
      ".local/state/mdx-ai/trust.json": list,
      "state/mdx-ai/trust.json": list,
    });
    expect(await run(home, ".")).toMatchObject({ exitCode: 3 });
    const model = scriptReference(home.path, [{ text: "ok" }]);
    const args = ["agent", ".", "--ephemeral", "--prompt", "hi", "--model", model];
    const relative = { home: join(home.path, "other"), cwd: home.path, environment: { XDG_STATE_HOME: "state" } };
    expect(await runCli(args, relative)).toMatchObject({ exitCode: 3 });
    const refused = await runCli(["trust", "."], { home: home.path });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("contains the list") });
  });

  test("is lost where the list is broken, and the list is set aside", async () => {
    using home = homeWithAgent();
    await runCli(["trust", "agent"], { home: home.path });
    const folder = join(home.path, ".local/state/mdx-ai");
    const [name = ""] = readdirSync(folder);
    const torn = readFileSync(join(folder, name), "utf8").slice(0, -5);
    writeFiles(folder, { [name]: torn });
    const result = await run(home, "agent");
    expect(result).toMatchObject({ exitCode: 3 });
    expect(result.stderr).toContain("warning: the list of trusted directories is broken");
    expect(readdirSync(folder)).toEqual([expect.stringContaining("trust.json.broken-")]);
  });

  test("is not there where the home folder is a file", async () => {
    using home = homeWithAgent();
    writeFiles(home.path, { home: "" });
    const environment = { HOME: join(home.path, "home") };
    const args = ["agent", "agent", "--ephemeral", "--prompt", "hi"];
    expect(await runCli(args, { home: home.path, environment })).toMatchObject({ exitCode: 3 });
    const refused = await runCli(["trust", "agent"], { home: home.path, environment });
    expect(refused).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringMatching(/^mdx-ai: [^\n]*\n$/) });
  });

  test("survives names that a terminal would act upon", async () => {
    using home = temporaryDirectory();
    const name = "a\u001b[31m b'\"\n";
    mkdirSync(join(home.path, name));
    writeFiles(join(home.path, name), { "agent.mdx": MINIMAL_AGENT });
    const refused = await run(home, name);
    expect(refused).toMatchObject({ exitCode: 3 });
    expect(refused.stderr).toMatch(/^[^\p{Cc}]*\n$/u);
    expect(await runCli(["trust", name], { home: home.path })).toMatchObject({ exitCode: 0 });
    expect(await run(home, name)).toMatchObject({ exitCode: 0 });
  });
});
