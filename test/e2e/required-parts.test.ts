import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const run = ["agent", "agent", "--trust", "--prompt", "hi"];

describe.skipIf(requireProgram("bwrap"))("an agent directory", () => {
  test("without agent.mdx does not run, even with other files", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "agent/heartbeat.md": "## Schedule\n\n@every: 15m\n",
      "agent/skills/tea/SKILL.md": "---\nname: tea\ndescription: Make tea\n---\n\nx\n",
    });
    const model = scriptReference(home.path, [{ text: "never" }]);
    const result = await runCommandLine([...run, "--model", model], { home: home.path });
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain("agent.mdx");
    expect(readdirSync(join(home.path, "agent")).sort()).toEqual(["heartbeat.md", "skills"]);
  });

  test("without a purpose does not run, and a purpose is all that it needs", async () => {
    using home = temporaryDirectory();
    const model = scriptReference(home.path, [{ text: "ok" }]);
    writeFiles(home.path, { "agent/agent.mdx": "# Agent: Aimless\n\n## Capabilities\n\n- Can do X\n" });
    const aimless = await runCommandLine([...run, "--model", model], { home: home.path });
    expect(aimless).toMatchObject({ exitCode: 2, stdout: "" });
    expect(aimless.stderr).toMatch(/^agent\/agent\.mdx:1:1 error purpose-missing /);

    writeFiles(home.path, { "agent/agent.mdx": "## Purpose\n\nBe tested.\n" });
    const result = await runCommandLine([...run, "--model", model], { home: home.path });
    expect(result).toMatchObject({ exitCode: 0, stdout: "ok\n" });
  });

  test("without a skills folder runs without skills, and only a strict check says so", async () => {
    using home = temporaryDirectory();
    mkdirSync(join(home.path, "agent"));
    writeFileSync(join(home.path, "agent/agent.mdx"), "# Agent: A\n\n## Purpose\n\nBe tested.\n");
    const model = scriptReference(home.path, [{ text: "ok" }]);
    const result = await runCommandLine([...run, "--model", model], { home: home.path });
    expect(result).toMatchObject({ exitCode: 0, stdout: "ok\n" });
    expect(result.stderr).toBe("");
    const check = (...args: string[]) => runCommandLine(["check", "agent", ...args], { home: home.path });
    expect((await check()).stdout).not.toContain("skills-missing");
    expect((await check("--strict")).stdout).toMatch(/^agent\/skills:1:1 note skills-missing /m);
    const inspected = await runCommandLine(["inspect", "agent", "--trust"], { home: home.path });
    expect(inspected.stdout).toContain("Be tested.");
    expect(inspected.stdout).not.toContain("available_skills");
    const skill = await runCommandLine(["agent", "agent", "--trust", "--prompt", "/skill:tea"], { home: home.path });
    expect(skill).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("this agent has no skills") });
  });
});
