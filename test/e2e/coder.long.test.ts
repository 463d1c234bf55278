import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import { openDirectory } from "@mdx-ai/directory";
import { writeFiles } from "../support/agent-files.ts";
import { templateFiles } from "../support/cli/init.ts";
import { surroundingsIn } from "../support/front-end.ts";
import { openInteractive } from "../support/interactive-session.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const EXAMPLE = join(import.meta.dir, "../../examples/coder");

/** Adds, but for a mistake that the test finds. */
const BROKEN = "export const sum = (numbers) => numbers.reduce((one, other) => one - other, 0);\n";
const FIXED = BROKEN.replace("one - other", "one + other");

const REPOSITORY = {
  "AGENTS.md": "Use named exports.\n",
  "package.json": '{"type": "module", "scripts": {"test": "node --test test.js"}}\n',
  "sum.js": BROKEN,
  "test.js": `import { equal } from "node:assert";
import { test } from "node:test";
import { sum } from "./sum.js";

test("sum adds", () => equal(sum([1, 2, 3]), 6));
`,
};

/** One answer of the model: calls of tools, side by side. */
const calls = (...named: readonly (readonly [name: string, args: JsonObject])[]): Reply => ({
  calls: named.map(([name, args], index) => ({ id: `c${index}`, name, arguments: args })),
});
const bash = (command: string): Reply => calls(["bash", { command }]);

/** How a model fixes the mistake. */
const FIX: readonly Reply[] = [
  calls(["list_files", { path: "." }], ["grep", { pattern: "sum\\(" }]),
  calls(["read_file", { path: "sum.js" }], ["read_file", { path: "test.js" }]),
  bash("npm test --silent"),
  calls(["edit_file", { path: "sum.js", edits: [{ old: "one - other", new: "one + other" }] }]),
  bash("npm test --silent"),
];

/** A user with the example as an agent, and a repository with the mistake, both in the home folder. */
function user() {
  const folder = temporaryDirectory();
  const home = realpathSync(folder.path);
  const agent = join(home, "agents/coder");
  cpSync(EXAMPLE, agent, { recursive: true });
  const repository = writeFiles(join(home, "code/app"), REPOSITORY);
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-C", repository, ...words], { env: { ...process.env, HOME: home }, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  const read = (path: string): string => readFileSync(join(repository, path), "utf8");
  /** Runs a prompt in the repository. */
  const prompt = (replies: readonly Reply[], ...args: readonly string[]): Promise<CliResult> => {
    const model = scriptReference(home, [...replies, { text: "Fixed: sum adds." }]);
    const words = [
      "agent",
      agent,
      "--trust",
      "--model",
      model,
      "--prompt",
      "npm test fails. Fix it and commit.",
      ...args,
    ];
    return runCommandLine(words, { home, cwd: repository });
  };
  return { home, agent, repository, git, read, prompt, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** The results of tools among the events of a run with `--json`, in the order in which calls ended. */
function results(
  stdout: string,
): readonly { readonly toolName: string; readonly isError: boolean; readonly text: string }[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "tool_execution_end")
    .map(({ toolName, isError, result }) => ({ toolName, isError, text: result.content[0].text }));
}

test("the example is what the template writes, but for its README", () => {
  const files = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(EXAMPLE.length + 1));
  const written = templateFiles("coder", "Coder").filter(({ path }) => path !== ".gitignore");
  expect(files.sort()).toStrictEqual(["README.md", ...written.map(({ path }) => path)].sort());
  for (const { path, text } of written) expect(readFileSync(join(EXAMPLE, path), "utf8")).toBe(text);
});

describe.skipIf(["git", "npm"].some(requireProgram))("the example of a coding agent, without a sandbox", () => {
  test("runs tests and looks at the repository without a question, and nothing else", async () => {
    using project = user();
    const allowed = ["npm test --silent", "git status --short && git log -1", "git diff"];
    const refused = ["git push", "git log --output=x", "git diff --no-index a b", "npm test > x", "npm install", "ls"];
    const all = [...allowed, ...refused];
    const { stdout } = await project.prompt(all.map(bash), "--sandbox", "off", "--json");
    const ran = results(stdout).map(({ text }) => !text.startsWith("not run: "));
    expect(ran).toStrictEqual(all.map((command) => allowed.includes(command)));
  });
});

describe.skipIf(["bwrap", "git", "npm"].some(requireProgram))("the example of a coding agent, in the sandbox", () => {
  const required = ["--sandbox", "required"];

  test("finds a mistake, fixes it, proves it by the tests and commits, without a question", async () => {
    using project = user();
    const commit = bash("git add sum.js && git commit -qm 'Add instead of subtracting' && git status --short");
    const { exitCode, stdout, stderr } = await project.prompt([...FIX, commit], ...required, "--json");
    expect(exitCode, stderr).toBe(0);
    const ended = results(stdout).filter(({ toolName }) => toolName === "bash" || toolName === "edit_file");
    expect(ended).toMatchObject([
      { toolName: "bash", isError: true, text: expect.stringContaining("actual: -6") },
      { toolName: "edit_file", isError: false },
      { toolName: "bash", isError: false, text: expect.stringContaining("pass 1") },
      { toolName: "bash", isError: false, text: "[no output]" },
    ]);
    expect(project.read("sum.js")).toBe(FIXED);
    expect(project.git("log", "--format=%an: %s")).toBe("Ada: Add instead of subtracting\nAda: Begin\n");
    expect(project.git("status", "--short")).toBe("");
  });

  test("plants nothing that runs on its own, and throws nothing of the user's away", async () => {
    using project = user();
    writeFiles(project.repository, { "notes.txt": "mine" });
    const { stdout } = await project.prompt(
      [
        bash("echo evil > .git/hooks/pre-commit; git config core.fsmonitor evil; echo evil > .envrc; mv .git moved"),
        calls(["write_file", { path: ".git/hooks/post-checkout", content: "evil" }]),
        bash("git clean -fd"),
        bash("git reset --hard HEAD"),
        bash("git push origin main"),
      ],
      ...required,
      "--json",
    );
    const [planted, ...refused] = results(stdout).map(({ text }) => text);
    expect(planted).toContain(".envrc: Is a directory");
    expect(refused).toHaveLength(4);
    for (const text of refused) expect(text).toMatch(/^not run: .*no user can be asked/);
    expect(
      readdirSync(join(project.repository, ".git/hooks")).filter((name) => !name.endsWith(".sample")),
    ).toStrictEqual([]);
    expect(project.git("config", "--list", "--local")).not.toContain("fsmonitor");
    expect(existsSync(join(project.repository, ".envrc"))).toBe(false);
    expect(project.read("notes.txt")).toBe("mine");
  });

  test("takes its edit back", async () => {
    using project = user();
    await project.prompt(FIX, ...required, "--session", "fix");
    expect(project.read("sum.js")).toBe(FIXED);
    const run = { isTrusted: true, session: "fix", workspace: project.repository };
    const { agent, close } = await openDirectory(project.agent, { run, frontEnd: surroundingsIn(project.home) });
    const undone = await agent.session("fix").undo();
    await close();
    expect(undone).toMatchObject({ files: [{ path: join(project.repository, "sum.js"), outcome: "restored" }] });
    expect(project.read("sum.js")).toBe(BROKEN);
  });

  test.skipIf(requireProgram("tmux"))(
    "asks once about an edit, with its diff, and takes it back by /undo",
    async () => {
      using project = user();
      const more = calls([
        "edit_file",
        { path: "sum.js", edits: [{ old: "export", new: "/** Adds numbers. */\nexport" }] },
      ]);
      await using run = await openInteractive({
        directory: project.agent,
        home: project.home,
        replies: [...FIX, more, { text: "Fixed: sum adds." }],
        args: [...required, "--mode", "ask"],
        shell: `cd ${project.repository} && exec "$@"`,
        rows: 50,
      });
      const send = async (text: string): Promise<void> => {
        await run.terminal.type(text);
        await run.terminal.press("Enter");
      };
      await send("npm test fails. Fix it.");
      const asked = await run.terminal.waitFor(/^y once · s this session · .*n no/m);
      expect(asked).toMatch(/^\? edit_file wants to /m);
      expect(asked).toMatch(/│ - export const sum = .*one - other/);
      expect(asked).toMatch(/│ \+ export const sum = .*one \+ other/);
      expect(project.read("sum.js")).toBe(BROKEN);
      await run.terminal.type("s");
      await run.terminal.waitFor("Fixed: sum adds.");
      expect((await run.terminal.history()).match(/Allowed: /g)).toHaveLength(1);
      expect(project.read("sum.js")).toBe(`/** Adds numbers. */\n${FIXED}`);
      await send("/undo");
      await run.terminal.waitFor(/restored.*sum\.js|sum\.js.*restored/);
      expect(project.read("sum.js")).toBe(BROKEN);
    },
  );
});
