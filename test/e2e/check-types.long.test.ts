import { describe, expect, test } from "bun:test";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";
import { agentWith, typedTool } from "../support/type-check.ts";

const EXAMPLES = join(import.meta.dir, "../../examples");
const examples = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory());

const WRONG = typedTool(
  "wrong",
  '<Param name="city" description="C" />',
  "async function execute(params: { city: number }) {\n  return params.town;\n}",
);

describe("mdx-ai check looks at types", () => {
  test("and shows every mistake at its place in agent.mdx among all others, and exits with 2", async () => {
    using home = temporaryDirectory();
    const agent = `---\nmodell: x\n---\n\n${agentWith(WRONG)}\n\n## Purpose\n\nAgain.\n`;
    writeFiles(home.path, { "agent/agent.mdx": agent });
    const { exitCode, stdout, stderr } = await runCommandLine(["check", "agent"], { home: home.path });
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 2, stderr: "" });
    expect(Array.from(stdout.matchAll(/^\S+:\d+:\d+ \w+ \S+/gm), ([place]) => place)).toStrictEqual([
      "agent/agent.mdx:2:1 warning setting-unknown",
      "agent/agent.mdx:15:16 error tool-execute-type",
      "agent/agent.mdx:16:17 error tool-types",
      "agent/agent.mdx:23:1 warning section-duplicate",
    ]);
    expect(stdout).toContain(
      "Types of property 'city' are incompatible. Type 'string' is not assignable to type 'number'.",
    );
    expect(stdout).toContain("write `params: { city: string }, ctx: ToolContext`, or change the `<Param>` tags");
    expect(stdout).toContain("Property 'town' does not exist on type '{ city: number; }' (TS2339)\n");
  });

  test("and prints them as JSON", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": agentWith(WRONG) });
    const { exitCode, stdout } = await runCommandLine(["check", "agent", "--json"], { home: home.path });
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      errors: 2,
      diagnostics: [
        { file: "agent.mdx", line: 11, column: 16, severity: "error", rule: "tool-execute-type" },
        { file: "agent.mdx", line: 12, column: 17, severity: "error", rule: "tool-types" },
      ],
    });
  });

  test("in the prose of agent.mdx, too", async () => {
    using home = temporaryDirectory();
    const text = '# Agent: Prose\n\nexport const who = { name: "Ada" }\n\n## Purpose\n\nServe {who.name.first.x}.\n';
    writeFiles(home.path, { "agent/agent.mdx": text, "agent/skills/.gitkeep": "" });
    const { exitCode, stdout } = await runCommandLine(["check", "agent"], { home: home.path });
    expect(exitCode).toBe(2);
    expect(stdout).toContain(
      "agent/agent.mdx:7:17 error prose-types Property 'first' does not exist on type 'string' (TS2339)\n",
    );
    expect(stdout).toContain("  7 | Serve {who.name.first.x}.\n    |                 ^~~~~\n");
  });

  test("without running anything, and leaves no file", async () => {
    using home = temporaryDirectory();
    using temporary = temporaryDirectory();
    const mark = JSON.stringify(join(home.path, "mark"));
    const code = `process.getBuiltinModule("node:fs").writeFileSync(${mark}, "ran");\nexport const execute = () => "";`;
    writeFiles(home.path, {
      "agent/agent.mdx": agentWith(typedTool("t", "", `import "./side.ts";\n${code}`)),
      "agent/side.ts": code,
      "agent/node_modules/typescript/package.json": `{"name": "typescript", "version": "7.0.2"}`,
      "agent/node_modules/typescript/bin/tsc": code,
      "agent/tsconfig.json": '{"compilerOptions": {"plugins": [{"name": "./side.ts"}]}}',
    });
    const options = { home: home.path, environment: { TMPDIR: temporary.path } };
    const result = await runCommandLine(["check", "agent"], options);
    expect(result).toStrictEqual({ exitCode: 0, stdout: "No mistakes found. Run it: mdx-ai ./agent\n", stderr: "" });
    expect(await Bun.file(join(home.path, "mark")).exists()).toBe(false);
    expect(readdirSync(temporary.path).filter((name) => name.startsWith("mdx-ai-check-"))).toStrictEqual([]);
    expect(readdirSync(join(home.path, "agent")).toSorted()).toStrictEqual([
      "agent.mdx",
      "node_modules",
      "side.ts",
      "skills",
      "tsconfig.json",
    ]);
  });

  test.skipIf(requireProgram("bwrap"))("while a run of the agent does not", async () => {
    using home = temporaryDirectory();
    const typed = GREETING_AGENT.replace("name: string;", "name: number;").replace('=== "nobody"', "=== 0");
    writeFiles(home.path, { "agent/agent.mdx": typed });
    const checked = await runCommandLine(["check", "agent"], { home: home.path });
    const run = await runCommandLine(["tool", "agent", "greet", "name=Ada", "--trust"], { home: home.path });
    expect(checked.exitCode).toBe(2);
    expect(run).toStrictEqual({ exitCode: 0, stdout: "Hello Ada\n", stderr: "" });
  });

  test.each(examples.map(({ name }) => name))("and finds none in the example %s", async (name) => {
    using home = temporaryDirectory();
    cpSync(join(EXAMPLES, name), join(home.path, name), { recursive: true });
    const { stdout } = await runCommandLine(["check", name, "--json"], { home: home.path });
    expect(JSON.parse(stdout)).toMatchObject({ errors: 0 });
  });

  test("where a folder's name holds brackets, blanks and letters of several bytes", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "an (1,2) Ägent 😀/agent.mdx": agentWith(
        typedTool("t", "", 'import "./a.ts";\nexport const execute = () => "";'),
      ),
      "an (1,2) Ägent 😀/a.ts": "export const a: number = 'x';\n",
    });
    const { stdout } = await runCommandLine(["check", "an (1,2) Ägent 😀", "--json"], { home: home.path });
    expect(JSON.parse(stdout)).toMatchObject({ errors: 1, diagnostics: [{ file: "a.ts", line: 1, column: 14 }] });
  });

  test("until Ctrl+C, at which it ends with 130 and leaves no file", async () => {
    using home = temporaryDirectory();
    using temporary = temporaryDirectory();
    const code = 'import "./pipe.ts";\nexport const execute = () => 1;';
    writeFiles(home.path, { "agent/agent.mdx": agentWith(typedTool("t", "", code)) });
    Bun.spawnSync(["mkfifo", join(home.path, "agent/pipe.ts")]);
    await using run = new TerminalRun(["check", "agent"], { home: home.path, environment: { TMPDIR: temporary.path } });
    const isChecking = (): boolean => readdirSync(temporary.path).some((name) => name.startsWith("mdx-ai-check-"));
    await eventually(isChecking);
    run.write("\u0003");
    expect(await run.exited).toBe(130);
    expect(isChecking()).toBe(false);
  });
});
