import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually, untilExists } from "../support/eventually.ts";
import { noProcessesOf } from "../support/remaining-processes.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const NOT_INSTALLED = "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)";

interface PromptOptions {
  readonly args?: readonly string[];
  readonly environment?: Record<string, string>;
}

interface CallingPrompt extends PromptOptions {
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: Readonly<Record<string, string>>;
  }[];
  /** The text of agent.mdx. */
  readonly agent?: string;
}

/** A prompt in which the model calls tools. */
async function prompt(home: TemporaryDirectory, options: CallingPrompt): Promise<CliResult> {
  const { calls, agent = MINIMAL_AGENT, args = [], environment = {} } = options;
  writeFiles(home.path, { "agent/agent.mdx": agent });
  const model = scriptReference(home.path, [{ calls }, { text: "done" }]);
  return runCommandLine(["agent", "agent", "--trust", "--prompt", "hi", "--model", model, ...args], {
    home: home.path,
    environment,
  });
}

/** A prompt in which the model runs a command. */
const shell = (home: TemporaryDirectory, command: string, options: PromptOptions = {}): Promise<CliResult> =>
  prompt(home, { ...options, calls: [{ id: "a", name: "bash", arguments: { command } }] });

describe.skipIf(requireProgram("bwrap"))("with bubblewrap", () => {
  test("a hostile command changes nothing that defines the agent, is not asked about, and leaves no file", async () => {
    using home = temporaryDirectory();
    const places = ["agent.mdx", "heartbeat.md", ".git/config", "modules/x.ts", "state/memory.json", "package.json"];
    const command = [...places, "out.txt"].map((place) => `echo hostile > ${place}`).join("; ");
    const { exitCode, stdout, stderr } = await shell(home, command);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "done\n" });
    expect(stderr).not.toContain("warning");
    const agent = join(home.path, "agent");
    expect(readFileSync(join(agent, "agent.mdx"), "utf8")).toBe(MINIMAL_AGENT);
    expect(readdirSync(agent).toSorted()).toStrictEqual([
      "agent.mdx",
      "logs",
      "out.txt",
      "sessions",
      "skills",
      "state",
    ]);
    expect(readFileSync(join(agent, "state/memory.json"), "utf8")).toBe("[]\n");
  });

  test.each([
    ["while the command runs", false],
    ["after the agent was killed", true],
  ])("a module that a command creates does not run at a start with edits trusted, %s", async (_, isKilled) => {
    using home = temporaryDirectory();
    const agent = join(home.path, "agent");
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    await runCommandLine(["trust", "agent", "--edits"], { home: home.path });
    const mark = `require("node:fs").writeFileSync(${JSON.stringify(join(home.path, "mark"))}, "ran");`;
    const command = `mkdir -p modules; echo '${mark}' > modules/x.ts; mv modules m; touch begun; sleep 1000`;
    const calls = [{ id: "a", name: "bash", arguments: { command, timeout: 1000 } }];
    const model = scriptReference(home.path, [{ calls }]);
    const running = Bun.spawn(cliCommand(["agent", "agent", "--prompt", "hi", "--model", model]), {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "ignore", "ignore"],
    });
    await untilExists(join(agent, "begun"));
    expect(existsSync(join(agent, "modules/x.ts"))).toBe(false);
    if (isKilled) {
      running.kill("SIGKILL");
      await eventually(() => !existsSync(join(agent, "modules")));
    }
    const again = scriptReference(home.path, [{ text: "done" }]);
    const args = ["agent", "agent", "--ephemeral", "--prompt", "hi", "--model", again];
    const { exitCode } = await runCommandLine(args, { home: home.path });
    running.kill("SIGKILL");
    await noProcessesOf(home.path);
    await eventually(() => !existsSync(join(agent, "modules")));
    expect([exitCode, existsSync(join(home.path, "mark"))]).toEqual([0, false]);
  });

  test("a command neither reads nor writes a file that --deny keeps from read_file and write_file", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/notes.txt": "denied", "agent/kept.txt": "kept", "diary.txt": "private" });
    const args = ["--deny", "read_file(notes.txt)", "--deny", "write_file(kept.txt)"];
    const command = "cat notes.txt ../diary.txt > copy.txt; echo x > kept.txt; echo ran > ran.txt";
    const { exitCode } = await shell(home, command, { args });
    const read = (name: string): string => readFileSync(join(home.path, "agent", name), "utf8");
    expect([exitCode, read("copy.txt"), read("kept.txt"), read("ran.txt")]).toStrictEqual([0, "", "kept", "ran\n"]);
  });
});

describe("without bubblewrap", () => {
  const environment = { PATH: "/nowhere" };

  test("a run says once on stderr that nothing is contained, and a command is asked about", async () => {
    using home = temporaryDirectory();
    const { exitCode, stderr } = await shell(home, "echo hi", { environment });
    expect(exitCode).toBe(0);
    expect(stderr.split("are not contained")).toHaveLength(2);
    expect(stderr).toContain(
      `mdx-ai: warning: the shell and the tools of agent.mdx are not contained: ${NOT_INSTALLED}; a command runs only if you or a rule allow it, and tools have your access\n`,
    );
    expect(stderr).toContain("runs a shell command outside a sandbox");
  });

  test("there is no run where a sandbox is required", async () => {
    using home = temporaryDirectory();
    const result = await shell(home, "echo hi", { environment, args: ["--sandbox", "required"] });
    expect(result).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `mdx-ai: the sandbox is required, but not available: ${NOT_INSTALLED}; --sandbox off runs without one\n`,
    });
  });

  test("nothing is said where the user wants none", async () => {
    using home = temporaryDirectory();
    const args = ["--sandbox", "off", "--allow", "bash"];
    expect(await shell(home, "echo hi", { environment, args })).toMatchObject({ exitCode: 0, stdout: "done\n" });
  });
});

/** A prompt in which the model calls a tool that declares limits. */
async function limited(home: TemporaryDirectory, attribute: string, options: PromptOptions = {}): Promise<CliResult> {
  const tool = toolText("look", "return 'looked';", ` ${attribute}`);
  return prompt(home, { ...options, calls: [{ id: "a", name: "look", arguments: {} }], agent: MINIMAL_AGENT + tool });
}

describe("a tool that declares limits", () => {
  const without = [
    ["with --sandbox off", { args: ["--sandbox", "off"] }],
    ["where there is no bubblewrap", { environment: { PATH: "/nowhere" } }],
  ] as const;
  const limits = ['network="none"', 'network="api.example.com"', 'files="none"', 'files="read:data/**,write:out/*"'];
  const cases = without.flatMap(([where, options]) => limits.map((limit) => [limit, where, options] as const));

  test.each(cases)("%s does not run %s, and the reason names the flag", async (limit, _where, options) => {
    using home = temporaryDirectory();
    const { exitCode, stderr } = await limited(home, limit, options);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      `not run: nothing enforces its ${limit} without a sandbox, and no user can be asked; allow it with --allow look`,
    );
  });

  test.each(without)(
    "runs %s where the user allows it, and without limits it runs unasked",
    async (_where, options) => {
      for (const [attribute, allow] of [
        ['network="none"', ["--allow", "look"]],
        ["", []],
      ] as const) {
        using home = temporaryDirectory();
        const args = ["args" in options ? options.args : [], allow].flat();
        expect(await limited(home, attribute, { ...options, args })).toMatchObject({
          exitCode: 0,
          stderr: expect.not.stringContaining("not run"),
        });
        expect(journalOf(home)).toContain("looked");
      }
    },
  );

  test.skipIf(requireProgram("bwrap"))("runs unasked in a sandbox", async () => {
    using home = temporaryDirectory();
    const { stderr } = await limited(home, 'network="none" files="none"');
    expect(stderr).not.toContain("not run");
    expect(journalOf(home)).toContain("looked");
  });
});

const journalOf = (home: TemporaryDirectory): string =>
  readFileSync(join(home.path, "agent/sessions/main/journal.jsonl"), "utf8");
