import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";
import { agentWith, typedTool } from "../support/type-check.ts";
import { WatchedCheck } from "../support/watched-check.ts";

const TOOL = typedTool("t", "", 'import { a } from "./lib/a.ts";\nexport const execute = (): string => a;');
const SKILL = "---\nname: tea\ndescription: Tea\n---\nx\n";
const SKILL_WITHOUT_TEXT = "---\nname: tea\n---\n";
const MODULE = 'export default { describe: () => ({ name: "m", description: "M" }), initialize: async () => {} };\n';

describe("mdx-ai check --watch", () => {
  test("checks again when agent.mdx is written, replaced by renaming, removed and made again", async () => {
    using home = temporaryDirectory();
    const file = join(home.path, "agent/agent.mdx");
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    await using watched = new WatchedCheck("agent", { home: home.path });
    expect(await watched.next()).toMatchObject({ errors: 0 });
    writeFileSync(file, `${MINIMAL_AGENT}\nA </Tool> lone\n`);
    expect(await watched.next()).toMatchObject({ diagnostics: [{ rule: "element-closing-tag" }] });
    writeFileSync(`${file}~`, MINIMAL_AGENT);
    renameSync(`${file}~`, file);
    expect(await watched.last(({ errors }) => errors === 0)).toMatchObject({ errors: 0 });
    rmSync(file);
    expect(await watched.last(({ errors }) => errors > 0)).toMatchObject({ diagnostics: [{ rule: "file-missing" }] });
    writeFileSync(file, MINIMAL_AGENT);
    expect(await watched.last(({ errors }) => errors === 0)).toMatchObject({ errors: 0 });
  });

  test("checks again when files that are imported appear and change", async () => {
    using home = temporaryDirectory();
    const agent = join(home.path, "agent");
    writeFiles(home.path, { "agent/agent.mdx": agentWith(TOOL) });
    await using watched = new WatchedCheck("agent", { home: home.path });
    expect(await watched.next()).toMatchObject({ diagnostics: [{ rule: "tool-types" }] });
    writeText(join(agent, "lib/a.ts"), 'export { a } from "./b.ts";\n');
    writeText(join(agent, "lib/b.ts"), 'export const a = "x";\n');
    await watched.last(({ errors }) => errors === 0);
    writeText(join(agent, "lib/b.ts"), "export const a = 5;\n");
    await watched.last(({ errors }) => errors === 1);
    writeText(join(agent, "lib/b.ts"), 'export const a = "y";\n');
    await watched.last(({ errors }) => errors === 0);
  });

  test("checks again when skills, modules and heartbeat.md appear and change", async () => {
    using home = temporaryDirectory();
    const agent = join(home.path, "agent");
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    await using watched = new WatchedCheck("agent", { home: home.path });
    expect(await watched.next()).toMatchObject({ errors: 0, warnings: 0 });
    mkdirSync(join(agent, "skills/tea"), { recursive: true });
    await watched.last(({ warnings }) => warnings === 1);
    writeText(join(agent, "skills/tea/SKILL.md"), SKILL);
    await watched.last(({ warnings }) => warnings === 0);
    writeText(join(agent, "skills/tea/SKILL.md"), SKILL_WITHOUT_TEXT);
    await watched.last(({ warnings }) => warnings > 0);
    writeText(join(agent, "skills/tea/SKILL.md"), SKILL);
    await watched.last(({ warnings }) => warnings === 0);
    writeText(join(agent, "modules/m.ts"), "export default { describes: () => 1 };\n");
    await watched.last(({ errors }) => errors === 1);
    writeText(join(agent, "modules/m.ts"), MODULE);
    await watched.last(({ errors }) => errors === 0);
    writeText(join(agent, "heartbeat.md"), "# Heartbeat\n");
    await watched.last(({ warnings }) => warnings === 1);
  });

  test("does nothing while no file changes, even if a running agent writes", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT, "agent/sessions/main/journal.jsonl": "" });
    await using watched = new WatchedCheck("agent", { home: home.path });
    await watched.next();
    for (let line = 0; line < 5; line++) {
      writeText(join(home.path, "agent/sessions/main/journal.jsonl"), `${line}\n`);
      await Bun.sleep(50);
    }
    writeFileSync(join(home.path, "agent/agent.mdx"), `${MINIMAL_AGENT}\nA </Tool> lone\n`);
    expect(await watched.next()).toMatchObject({ errors: 1 });
    expect(watched.count).toBe(2);
  });

  test("shows time and numbers, clears the screen on a terminal alone, and ends with 130 at Ctrl+C", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": agentWith(TOOL) });
    await using run = new TerminalRun(["check", "agent", "--watch"], { home: home.path });
    await run.shows("watching, Ctrl+C stops");
    expect(run.output).toContain("\u001b[2J");
    expect(run.output).toMatch(/1 error, 0 warnings\r\n.*\d\d:\d\d:\d\d checked in \d+\.\d s/);
    run.write("\u0003");
    expect(await run.exited).toBe(130);
  });
});
