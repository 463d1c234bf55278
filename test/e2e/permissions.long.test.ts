import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { type CliOptions, type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const SETTINGS = ".config/mdx-ai/settings.yaml";

interface Home extends TemporaryDirectory {
  /** Whether the command of the model was run. */
  readonly wasRun: boolean;
}

/** A home folder with an agent; its model runs a shell command that leaves a mark, then says that it is done. */
function home(files: Readonly<Record<string, string>> = {}): Home {
  const folder = temporaryDirectory();
  writeFiles(folder.path, { "agent/agent.mdx": MINIMAL_AGENT, ...files });
  return {
    path: folder.path,
    get wasRun() {
      return existsSync(join(folder.path, "mark"));
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const touching = ({ path }: TemporaryDirectory): Reply => ({
  calls: [{ id: "c1", name: "bash", arguments: { command: `touch ${join(path, "mark")}` } }],
});

const promptArgs = (folder: TemporaryDirectory, args: readonly string[]): readonly string[] => {
  const model = scriptReference(folder.path, [touching(folder), { text: "Done." }]);
  return ["agent", "agent", "--trust", "--sandbox", "off", "--model", model, "--prompt", "go", ...args];
};

const prompt = (
  folder: TemporaryDirectory,
  args: readonly string[] = [],
  options: Partial<CliOptions> = {},
): Promise<CliResult> => runCommandLine(promptArgs(folder, args), { home: folder.path, ...options });

describe("if there is no one to ask", () => {
  test("a command is denied, the flag that allows it is named, and the prompt ends", async () => {
    using folder = home();
    const { exitCode, stdout, stderr } = await prompt(folder);
    expect([exitCode, stdout, folder.wasRun]).toEqual([0, "Done.\n", false]);
    expect(stderr).toMatch(/✗ bash not run: .* --allow 'bash\(touch .*\/mark\)'\n/);
  });

  test("nothing hangs on an input that stays open", async () => {
    using folder = home();
    const child = Bun.spawn(cliCommand(promptArgs(folder, ["--json"])), {
      cwd: folder.path,
      env: cliEnvironment({ home: folder.path }),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    const events = (await child.stdout.text()).trimEnd().split("\n");
    child.stdin.end();
    expect(await child.exited).toBe(0);
    const decided = events.map((line) => JSON.parse(line)).filter(({ type }) => type === "permission_decided");
    expect(decided).toEqual([
      { type: "permission_decided", id: expect.any(String), toolCallId: "c1", toolName: "bash", action: "deny" },
    ]);
    expect(folder.wasRun).toBe(false);
  });
});

test("an agent that may write files cannot write what it may do: settings, trust and approvals stay as they are", async () => {
  using folder = home({ [SETTINGS]: "permissions:\n  bash: deny\n" });
  const places = [SETTINGS, ".local/state/mdx-ai/trust.json", ".local/state/mdx-ai/approvals/own.jsonl"];
  const calls = places.map((place, at) => {
    const path = join(folder.path, place);
    return { id: `c${at}`, name: "write_file", arguments: { path, content: "permissions:\n  bash: allow\n" } };
  });
  const model = scriptReference(folder.path, [{ calls }, { text: "Done." }]);
  const args = [
    "agent",
    "agent",
    "--trust",
    "--sandbox",
    "off",
    "--allow",
    "write_file",
    "--model",
    model,
    "--prompt",
    "go",
  ];
  const { exitCode, stderr } = await runCommandLine(args, { home: folder.path });
  expect([exitCode, stderr.match(/✗ write_file not run: /g)?.length]).toEqual([0, 3]);
  expect(readFileSync(join(folder.path, SETTINGS), "utf8")).toBe("permissions:\n  bash: deny\n");
  expect(places.slice(1).filter((place) => existsSync(join(folder.path, place)))).toEqual([]);
});

describe("what the user says in advance", () => {
  test.each([
    ["--allow bash", true, ["--allow", "bash"]],
    ["--allow of this command", true, ["--allow", "bash(touch *)"]],
    ["--allow-all", true, ["--allow-all"]],
    ["the second --allow", true, ["--allow", "bash(git *)", "--allow", "bash(touch *)"]],
    ["--allow of another command", false, ["--allow", "bash(git *)"]],
    ["--deny above --allow", false, ["--deny", "bash", "--allow", "bash"]],
    ["--deny above --allow-all", false, ["--deny", "bash(touch *)", "--allow-all"]],
  ])("counts: %s runs the command: %p", async (_name, runs, args) => {
    using folder = home();
    expect(await prompt(folder, args)).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
    expect(folder.wasRun).toBe(runs);
  });

  test("in the settings counts for all agents", async () => {
    using folder = home({ [SETTINGS]: 'permissions:\n  "bash(touch *)": allow\n' });
    expect(await prompt(folder)).toMatchObject({ exitCode: 0 });
    expect(folder.wasRun).toBe(true);
  });

  test("in the settings as a denial is above --allow and --allow-all", async () => {
    using folder = home({ [SETTINGS]: "permissions:\n  bash: deny\n" });
    for (const args of [["--allow", "bash"], ["--allow-all"]]) await prompt(folder, args);
    expect(folder.wasRun).toBe(false);
  });

  test("cannot be said by a directory for itself beyond it: the user's ask stays an ask", async () => {
    const agent = `---\npermissions:\n  bash: allow\n---\n${MINIMAL_AGENT}`;
    using folder = home({ [SETTINGS]: "permissions:\n  bash: ask\n", "agent/agent.mdx": agent });
    expect(await prompt(folder)).toMatchObject({ exitCode: 0 });
    expect(folder.wasRun).toBe(false);
  });

  test("is read from no settings that lie within the agent directory", async () => {
    using folder = home({ "agent/mdx-ai/settings.yaml": "permissions:\n  bash: allow\n" });
    const environment = { XDG_CONFIG_HOME: join(folder.path, "agent") };
    const { exitCode, stderr } = await prompt(folder, [], { environment });
    expect([exitCode, folder.wasRun]).toEqual([2, false]);
    expect(stderr).toContain("is in the agent directory");
  });

  test("with a mistake in the settings runs nothing, and the mistake is shown at its place", async () => {
    using folder = home({ [SETTINGS]: "permissions:\n  bash: denied\n" });
    const { exitCode, stdout, stderr } = await prompt(folder, ["--allow-all"]);
    expect([exitCode, stdout, folder.wasRun]).toEqual([2, "", false]);
    expect(stderr).toContain(`${join(folder.path, SETTINGS)}:2:9 error`);
    expect(stderr).toContain("no agent runs until your settings are fixed");
  });

  test("is not believed where others could have written it", async () => {
    using folder = home({ [SETTINGS]: "permissions:\n  bash: allow\n" });
    chmodSync(join(folder.path, SETTINGS), 0o666);
    expect(await prompt(folder)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("chmod go-w") });
    expect(folder.wasRun).toBe(false);
  });

  test.each([
    [["--allow", "bash("], "--allow needs a pattern such as bash"],
    [["--deny", "bash()"], "--deny needs a pattern such as bash"],
    [["--sandbox", "maybe"], "--sandbox needs auto, required or off"],
  ])("in a form that says nothing is refused: %j", async (args, message) => {
    using folder = home();
    expect(await prompt(folder, args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });

  test.each([
    [["--allow", "bash"], "live-tools"],
    [["--deny", "bash"], "live-tools"],
    [["--allow-all"], "live-tools"],
    [["--sandbox", "off"], "live-tools"],
    [["--live-tools", "--deny", "bash"], "with"],
  ])("means nothing to a replay in which no model decides: %j", async (args, needed) => {
    using folder = home();
    const result = await runCommandLine(["replay", "agent", ...args], { home: folder.path });
    expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`has no effect without --${needed}`) });
  });
});
