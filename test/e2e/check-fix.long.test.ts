import { describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

/** Closing tags that close nothing. */
const BROKEN =
  "# Agent: Broken\n\n## Purpose\n\nBe </Tool>5 or less.\n\nFine.\n\nAnd </Param>lone.\n\nNot </Example>gone.\n";
const FIXED = BROKEN.replaceAll(/<.*?>/g, "");

describe("mdx-ai check --fix", () => {
  test("applies the safe fixes, shows them and what is left", async () => {
    using home = temporaryDirectory();
    const file = join(home.path, "agent/agent.mdx");
    writeFiles(home.path, { "agent/agent.mdx": `---\nmodell: x\ntemperature: hot\n---\n\n${BROKEN}` });
    const { exitCode, stdout, stderr } = await runCommandLine(["check", "agent", "--fix"], { home: home.path });
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 2, stderr: "" });
    expect(readFileSync(file, "utf8")).toEndWith(FIXED);
    expect(stdout).toStartWith("agent/agent.mdx: ");
    expect(stdout).toContain("\n-Be </Tool>5 or less.\n+Be 5 or less.\n");
    expect(stdout).toContain("\n-And </Param>lone.\n+And lone.\n");
    expect(stdout).toContain("agent/agent.mdx:3:14 error setting-type");
    expect(stdout).not.toMatch(/error element-/);
  });

  test("leaves no mistake if all have a fix, and changes nothing the second time", async () => {
    using home = temporaryDirectory();
    const file = join(home.path, "agent/agent.mdx");
    writeFiles(home.path, { "agent/agent.mdx": BROKEN });
    expect(await runCommandLine(["check", "agent", "--fix"], { home: home.path })).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    expect(readFileSync(file, "utf8")).toBe(FIXED);
    const before = statSync(file, { bigint: true });
    const again = await runCommandLine(["check", "agent", "--fix"], { home: home.path });
    expect(again).toStrictEqual({ exitCode: 0, stdout: "No mistakes found. Run it: mdx-ai ./agent\n", stderr: "" });
    expect(statSync(file, { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs });
  });

  test("keeps the byte-order mark, the line ends, the mode and all other bytes, and leaves no draft behind", async () => {
    using home = temporaryDirectory();
    const file = join(home.path, "agent/agent.mdx");
    const windows = (text: string): string => `\uFEFF${text.replaceAll("\n", "\r\n")}Mixed\rends 😀\n`;
    writeFiles(home.path, { "agent/agent.mdx": windows(BROKEN) });
    chmodSync(file, 0o640);
    await runCommandLine(["check", "agent", "--fix"], { home: home.path });
    expect(readFileSync(file)).toEqual(Buffer.from(windows(FIXED)));
    expect(statSync(file).mode & 0o7777).toBe(0o640);
    expect(readdirSync(join(home.path, "agent")).toSorted()).toStrictEqual(["agent.mdx", "skills"]);
  });

  test("refuses a file that is read-only, and changes nothing", async () => {
    using home = temporaryDirectory();
    const file = join(home.path, "agent/agent.mdx");
    writeFiles(home.path, { "agent/agent.mdx": BROKEN });
    chmodSync(file, 0o444);
    const result = await runCommandLine(["check", "agent", "--fix"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("agent.mdx is read-only") });
    expect(readFileSync(file, "utf8")).toBe(BROKEN);
  });

  test("writes through a link within the directory, and not through one that leads out of it", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "in/text.mdx": BROKEN, "notes.txt": BROKEN, "out/skills/.keep": "" });
    symlinkSync("text.mdx", join(home.path, "in/agent.mdx"));
    symlinkSync("../notes.txt", join(home.path, "out/agent.mdx"));
    expect(await runCommandLine(["check", "in", "--fix"], { home: home.path })).toMatchObject({ stderr: "" });
    expect(readFileSync(join(home.path, "in/text.mdx"), "utf8")).toBe(FIXED);
    expect(lstatSync(join(home.path, "in/agent.mdx")).isSymbolicLink()).toBe(true);
    const refused = await runCommandLine(["check", "out", "--fix"], { home: home.path });
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("outside of the directory") });
    expect(readFileSync(join(home.path, "notes.txt"), "utf8")).toBe(BROKEN);
  });

  test("leaves a file alone that is not UTF-8", async () => {
    using home = temporaryDirectory();
    const bytes = Buffer.concat([Buffer.from(BROKEN), Buffer.from([0xff, 0x0a])]);
    writeFiles(home.path, { "agent/skills/.keep": "" });
    await Bun.write(join(home.path, "agent/agent.mdx"), bytes);
    const { exitCode } = await runCommandLine(["check", "agent", "--fix"], { home: home.path });
    expect(exitCode).toBe(2);
    expect(readFileSync(join(home.path, "agent/agent.mdx"))).toEqual(bytes);
  });

  test("reports in JSON what was fixed", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": BROKEN });
    const { stdout } = await runCommandLine(["check", "agent", "--fix", "--json"], { home: home.path });
    expect(JSON.parse(stdout)).toMatchObject({
      errors: 0,
      diagnostics: [],
      fixed: [
        { line: 5, column: 4 },
        { line: 9, column: 5 },
        { line: 11, column: 5 },
      ],
    });
  });

  test("counts the fixes that are in the written file, not those that a later one overwrites", async () => {
    using home = temporaryDirectory();
    const tool = (param: string): string =>
      `# Agent: One\n\n## Purpose\n\nHelp.\n\n<Tool name="t" description="d">\n<Param name="a" ${param} />\n\n\`\`\`ts\nfunction execute(params: { a: number }) { return String(params.a); }\n\`\`\`\n</Tool>\n`;
    writeFiles(home.path, { "agent/agent.mdx": tool('Type="int"'), "agent/skills/.keep": "" });
    const { stdout } = await runCommandLine(["check", "agent", "--fix"], { home: home.path });
    expect(readFileSync(join(home.path, "agent/agent.mdx"), "utf8")).toBe(tool('type="integer"'));
    expect(stdout).toStartWith("agent/agent.mdx: 1 mistake fixed\n");
    writeFiles(home.path, { "agent/agent.mdx": tool('Type="int"') });
    const json = await runCommandLine(["check", "agent", "--fix", "--json"], { home: home.path });
    expect(JSON.parse(json.stdout)).toMatchObject({ fixed: [{ rule: "param-type" }] });
  });

  test("shows what it changed in colours on a terminal", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": BROKEN });
    await using run = new TerminalRun(["check", "agent", "--fix"], { home: home.path });
    await run.shows("No mistakes found.");
    expect(run.output).toContain("\u001b[31m-Be </Tool>5 or less.\u001b[39m");
    expect(run.output).toContain("\u001b[32m+Be 5 or less.\u001b[39m");
  });

  test("removes the escapes that Markdown does not need only if asked, outside of code, and none in MDX", async () => {
    using home = temporaryDirectory();
    const file = join(home.path, "agent/agent.mdx");
    const agent = (purpose: string): string => `# Agent: One\n\n## Purpose\n\n${purpose}\n`;
    const kept = "\\<Tool> \\{/* a \\<!-- b `\\{c}` \\\\{ \\*\n\n```\n\\{d}\n```\n\n\\<div>";
    const written = agent(`Be \\<5, \\{x\\} and \\<y>. </Tool>\n\n${kept}`);
    writeFiles(home.path, { "agent/agent.mdx": written.replace(" </Tool>", "") });
    await runCommandLine(["check", "agent", "--fix"], { home: home.path });
    expect(readFileSync(file, "utf8")).toBe(written.replace(" </Tool>", ""));
    writeFiles(home.path, { "agent/agent.mdx": written });
    const { exitCode, stdout } = await runCommandLine(["check", "agent", "--fix=escapes"], { home: home.path });
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith("agent/agent.mdx: 1 mistake fixed, 4 escapes removed\n");
    expect(readFileSync(file, "utf8")).toBe(agent(`Be <5, {x} and <y>. \n\n${kept}`));
    const mdx = `export const a = 1\n\n${agent("Be \\<5.")}`;
    writeFiles(home.path, { "agent/agent.mdx": mdx });
    await runCommandLine(["check", "agent", "--fix=escapes"], { home: home.path });
    expect(readFileSync(file, "utf8")).toBe(mdx);
    const wrong = await runCommandLine(["check", "agent", "--fix=all"], { home: home.path });
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--fix=escapes") });
  });

  test("does not go together with --watch", async () => {
    using home = temporaryDirectory();
    const result = await runCommandLine(["check", "--fix", "--watch"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("cannot be combined") });
  });
});
