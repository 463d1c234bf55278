import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { importingAgent, importingText } from "../support/importing-agent.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";

const promptArgs = (home: TemporaryDirectory): readonly string[] => {
  const model = scriptReference(home.path, [{ text: "ok" }]);
  return ["agent", "agent", "--ephemeral", "--prompt", "hi", "--model", model];
};

const run = (home: TemporaryDirectory): Promise<CliResult> => runCli(promptArgs(home), { home: home.path });

async function trustedHome(...flags: readonly string[]): Promise<TemporaryDirectory> {
  const home = temporaryDirectory();
  importingAgent(home.path);
  await runCli(["trust", "agent", ...flags], { home: home.path });
  return home;
}

type Files = Readonly<Record<string, string>>;

const edits: readonly (readonly [title: string, files: Files, told: string])[] = [
  [
    "a tool",
    { "agent/agent.mdx": importingText().replace("const old", "const very = 1, old") },
    '~ tool "fetch_it": code',
  ],
  ["a module", { "agent/modules/clock.ts": "export default {};" }, "~ module file modules/clock.ts"],
  ["a new module", { "agent/modules/evil.ts": "export default {};" }, "+ module file modules/evil.ts"],
  ["a helper in the directory", { "agent/lib/deep.js": "export const inner = 2;" }, "~ imported file lib/deep.js"],
  ["a helper outside of it", { "shared/further.ts": "" }, "~ imported file ../shared/further.ts"],
  ["an installed package", { "agent/node_modules/pad/pad.mjs": "" }, "~ package pad@1.2.3"],
  ["a file x.ts beside x.js", { "agent/lib/inner.ts": "" }, "+ imported file lib/inner.ts"],
  ["a script of a skill", { "agent/skills/sum/scripts/sum.py": "" }, "~ script skills/sum/scripts/sum.py"],
  [
    "wider permissions",
    { "agent/agent.mdx": importingText({ frontmatter: "permissions:\n  bash: allow\n" }) },
    "+ permission bash (allow)",
  ],
];

describe("a trusted directory that was edited", () => {
  test.each(edits)("is not run before it is trusted again: %s", async (_title, files, told) => {
    using home = await trustedHome();
    writeFiles(home.path, files);
    const refused = await run(home);
    expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
    expect(refused.stderr.split("\n").map((line) => line.trim())).toContain(told);
    expect(refused.stderr).toContain(`mdx-ai trust ${join(home.path, "agent")}`);
  });

  test("is run again when it is trusted again", async () => {
    using home = await trustedHome();
    writeFiles(home.path, { "agent/late.ts": "export const late = 2;" });
    expect(await run(home)).toMatchObject({ exitCode: 3 });
    await runCli(["trust", "agent"], { home: home.path });
    expect(await run(home)).toMatchObject({ exitCode: 0, stdout: "ok\n" });
  });

  test("needs no new trust for prose: persona, descriptions and the texts of skills", async () => {
    using home = await trustedHome();
    writeFiles(home.path, {
      "agent/agent.mdx": importingText().replace("Import.", "Import a lot.").replace('"Fetch"', '"Fetch it"'),
      "agent/skills/sum/SKILL.md": "---\nname: sum\ndescription: Sums.\n---\nSum it all up.\n",
    });
    expect(await run(home)).toMatchObject({ exitCode: 0, stdout: "ok\n" });
  });

  test("needs no new trust where it is trusted with its edits", async () => {
    using home = await trustedHome("--edits");
    writeFiles(home.path, {
      "agent/modules/clock.ts": "export default {};",
      "agent/modules/new.ts": "export default {};",
    });
    expect(await run(home)).toMatchObject({ exitCode: 0 });
  });

  test("is shown by inspect without its modules", async () => {
    using home = await trustedHome();
    const mark = JSON.stringify(join(home.path, "mark"));
    writeFiles(home.path, { "agent/modules/clock.ts": `require("node:fs").writeFileSync(${mark}, "");` });
    const { exitCode, stderr } = await runCli(["inspect", "agent"], { home: home.path });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("not trusted");
    expect(existsSync(join(home.path, "mark"))).toBe(false);
  });

  test("lists all that changed, and shows what a terminal would act upon written out", async () => {
    using home = await trustedHome();
    writeFiles(home.path, { "agent/modules/\u001b[31mx\u202e.ts": "", "agent/late.ts": "" });
    const { exitCode, stderr } = await run(home);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("  ~ imported file late.ts\n");
    expect(stderr).toContain("  + module file modules/\\u{1b}[31mx\\u{202e}.ts\n");
    expect(stderr).toMatch(/^(?:[^\p{Cc}\u202e]*\n)+$/u);
  });
});

describe("on a terminal", () => {
  const changedHome = async (): Promise<TemporaryDirectory> => {
    const home = await trustedHome();
    writeFiles(home.path, { "agent/late.ts": "export const late = 2;" });
    return home;
  };

  test("what changed is shown, and trusted once where the user says so", async () => {
    using home = await changedHome();
    await using terminal = new TerminalRun(promptArgs(home), { home: home.path });
    await terminal.shows("trust its current state?");
    expect(terminal.output).toContain("~ imported file late.ts");
    expect(terminal.output).not.toContain("lib/deep.js");
    terminal.write(DOWN + ENTER);
    expect(await terminal.exited).toBe(0);
    expect(await run(home)).toMatchObject({ exitCode: 3 });
  });

  test("what changed is trusted from then on where the user says so", async () => {
    using home = await changedHome();
    await using terminal = new TerminalRun(promptArgs(home), { home: home.path });
    await terminal.shows("trust its current state?");
    terminal.write(DOWN + DOWN + ENTER);
    expect(await terminal.exited).toBe(0);
    expect(await run(home)).toMatchObject({ exitCode: 0 });
  });

  test("what is swapped while the user is asked does not run: what was shown is what is trusted", async () => {
    using home = await changedHome();
    const mark = join(home.path, "mark");
    await using terminal = new TerminalRun(promptArgs(home), { home: home.path });
    await terminal.shows("trust its current state?");
    writeFiles(home.path, {
      "agent/modules/parts/hand.ts": `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");`,
    });
    terminal.write(DOWN + DOWN + ENTER);
    expect(await terminal.exited).toBe(0);
    expect(terminal.output).toContain("hand.ts has changed since it was trusted");
    expect(existsSync(mark)).toBe(false);
    expect(await run(home)).toMatchObject({ exitCode: 3 });
  });

  test("what changed is not run where the user says no", async () => {
    using home = await changedHome();
    await using terminal = new TerminalRun(promptArgs(home), { home: home.path });
    await terminal.shows("trust its current state?");
    terminal.write(ENTER);
    expect(await terminal.exited).toBe(3);
  });

  test("the first question shows what a directory holds and what its tools may do", async () => {
    using home = temporaryDirectory();
    importingAgent(home.path);
    const tool = 'env="KEY" network="a.com" files="read:data/**"';
    writeFiles(home.path, {
      "agent/agent.mdx": importingText({ tool, frontmatter: "permissions: {bash: allow}\nsandbox: off\n" }),
      "agent/heartbeat.md": "@every: 15m\n",
    });
    await using terminal = new TerminalRun(promptArgs(home), { home: home.path });
    await terminal.shows("Do you trust this directory?");
    const shown = [
      "tools: fetch_it",
      "variable KEY; host a.com; files data/**, to read",
      "module files: modules/clock.ts",
      "imported files: ../shared/further.ts",
      "packages: pad@1.2.3",
      "scripts: skills/sum/scripts/sum.py",
      "heartbeat: times every 900 seconds",
      "permissions: bash (allow)",
      "sandbox: mode off",
    ];
    for (const text of shown) expect(terminal.output).toContain(text);
    terminal.write(ENTER);
    expect(await terminal.exited).toBe(3);
  });
});

describe("mdx-ai trust", () => {
  test("shows what it trusts, and records the hash of it", async () => {
    using home = temporaryDirectory();
    importingAgent(home.path);
    const { exitCode, stdout } = await runCli(["trust", "agent"], { home: home.path });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Trusted: .*\/agent {2}sha256 [0-9a-f]{64}\n {2}tools: fetch_it\n/);
    expect(stdout).toContain("  packages: pad@1.2.3\n");
    const list: unknown = JSON.parse((await runCli(["trust", "--list", "--json"], { home: home.path })).stdout);
    expect(list).toMatchObject([{ path: join(home.path, "agent"), hash: /sha256 (\w+)/.exec(stdout)?.[1] }]);
  });

  test("does not trust the edits of a folder that others can write to", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
    const agent = join(home.path, "agent");
    chmodSync(agent, 0o777);
    const refused = await runCli(["trust", "agent", "--edits"], { home: home.path });
    expect(refused).toStrictEqual({
      exitCode: 1,
      stdout: "",
      stderr: `mdx-ai: ${agent} can be written by others; check what is in it, then run: chmod go-w ${agent}\n`,
    });
    expect(await runCli(["trust", "--list"], { home: home.path })).toMatchObject({ stdout: "" });
    chmodSync(agent, 0o755);
    expect(await runCli(["trust", "agent", "--edits"], { home: home.path })).toMatchObject({ exitCode: 0 });
  });

  test.skipIf(requireProgram("bwrap"))(
    "does not trust the edits of a folder that others can write to since it was trusted",
    async () => {
      using home = temporaryDirectory();
      const agent = join(home.path, "agent");
      writeFiles(agent, { "agent.mdx": GREETING_AGENT });
      await runCli(["trust", "agent", "--edits"], { home: home.path });
      chmodSync(join(agent, "agent.mdx"), 0o666);
      expect(await run(home)).toMatchObject({ exitCode: 0, stdout: "ok\n" });
      writeFiles(agent, { "agent.mdx": GREETING_AGENT.replace("Hello", "Hallo") });
      const edited = await run(home);
      expect(edited.exitCode).toBe(3);
      expect(edited.stderr).toContain(
        `the edits of the directory are not trusted: ${agent}/agent.mdx can be written by others`,
      );
      expect(edited.stderr).toContain('~ tool "greet": code');
      chmodSync(join(agent, "agent.mdx"), 0o644);
      expect(await run(home)).toMatchObject({ exitCode: 0, stderr: "" });
    },
  );

  test("believes no list that others can write", async () => {
    using home = await trustedHome();
    const file = join(home.path, ".local/state/mdx-ai/trust.json");
    chmodSync(file, 0o666);
    const { exitCode, stderr } = await run(home);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`${file} can be written by others; check what is in it, then run: chmod go-w ${file}\n`);
  });

  test("trusts a folder with its edits, and says so", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
    const { stdout } = await runCli(["trust", "agent", "--edits"], { home: home.path });
    expect(stdout).toStartWith(`Trusted with its edits: ${join(home.path, "agent")}\n`);
    expect((await runCli(["trust", "--list"], { home: home.path })).stdout).toContain("with its edits");
    await runCli(["trust", "agent"], { home: home.path });
    expect((await runCli(["trust", "--list"], { home: home.path })).stdout).toContain("sha256");
  });

  test("refuses flags that exclude each other, and directories with errors", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": "# Agent: A\n\n<Tool>\n" });
    expect(await runCli(["trust", "agent", "--edits", "--remove"], { home: home.path })).toMatchObject({ exitCode: 2 });
    expect(await runCli(["trust", "agent"], { home: home.path })).toMatchObject({ exitCode: 2 });
    expect((await runCli(["trust", "--list"], { home: home.path })).stdout).toBe("");
  });
});

describe("a directory gains nothing", () => {
  test("by a trust file or a lock file that it brings along", async () => {
    using home = temporaryDirectory();
    importingAgent(home.path);
    await runCli(["trust", "agent"], { home: home.path });
    await runCli(["lock", "agent"], { home: home.path });
    const list = readFileSync(join(home.path, ".local/state/mdx-ai/trust.json"), "utf8");
    await runCli(["trust", "agent", "--remove"], { home: home.path });
    writeFiles(home.path, {
      "agent/trust.json": list,
      "agent/state/trust.json": list,
      "agent/.local/state/mdx-ai/trust.json": list,
    });
    expect(existsSync(join(home.path, "agent/agent.lock.json"))).toBe(true);
    expect(await run(home)).toMatchObject({ exitCode: 3 });
  });

  test("by taking the place of a trusted one", async () => {
    using home = await trustedHome();
    renameSync(join(home.path, "agent"), join(home.path, "good"));
    writeFiles(home.path, { "evil/agent.mdx": GREETING_AGENT });
    symlinkSync("evil", join(home.path, "agent"));
    expect(await run(home)).toMatchObject({ exitCode: 3 });
    renameSync(join(home.path, "agent"), join(home.path, "link"));
    renameSync(join(home.path, "evil"), join(home.path, "agent"));
    expect(await run(home)).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("changed") });
  });
});

describe("the modules of a trusted directory", () => {
  const SPEAKS = `import { a } from "nopkg";
try { await import("../gone.ts"); } catch {}
export default { describe: () => ({ name: "loud" }), initialize() { console.error("loaded " + a); } };`;

  function linkedHome(): TemporaryDirectory {
    const home = temporaryDirectory();
    writeFiles(home.path, {
      "agent/agent.mdx": GREETING_AGENT,
      "agent/modules/loud.ts": SPEAKS,
      "agent/node_modules/nopkg/index.js": "exports.a = 1;",
    });
    symlinkSync("me@host.1234", join(home.path, "agent/modules/.#loud.ts"));
    symlinkSync("later.ts", join(home.path, "agent/gone.ts"));
    return home;
  }

  test("are loaded beside links that lead nowhere, and with a package without a package.json", async () => {
    using home = linkedHome();
    await runCli(["trust", "agent"], { home: home.path });
    const { stderr, exitCode } = await run(home);
    expect([exitCode, stderr]).toStrictEqual([0, expect.stringContaining("loaded 1")]);
    expect(stderr).not.toContain("trusted");
  });

  test("are loaded from an agent that lies in a node_modules folder and has no package.json", async () => {
    using home = linkedHome();
    const agent = join(home.path, "node_modules/agent");
    mkdirSync(join(home.path, "node_modules"));
    renameSync(join(home.path, "agent"), agent);
    symlinkSync(agent, join(home.path, "agent"));
    await runCli(["trust", "agent"], { home: home.path });
    const { stderr } = await run(home);
    expect(stderr).toContain("loaded 1");
  });
});
