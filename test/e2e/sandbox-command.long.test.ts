import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliOptions, type CliResult, cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const WEATHER = join(import.meta.dir, "../../examples/weather");

const NOT_INSTALLED = "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)";

/** Runs a command in the sandbox of the agent `agent`, which is made if it is absent. */
function contain(home: string, command: readonly string[], options: Partial<CliOptions> = {}): Promise<CliResult> {
  if (!existsSync(join(home, "agent"))) writeFiles(home, { "agent/agent.mdx": MINIMAL_AGENT });
  return runCli(["sandbox", "agent", "--", ...command], { home, ...options });
}

interface Running extends AsyncDisposable {
  readonly child: Bun.Subprocess;
  /** The next part of its output; "" at the end. */
  read(): Promise<string>;
}

/** Starts a shell script in the sandbox of a new agent; what is left of it is killed in the end. */
function startContained(home: string, text: string): Running {
  writeFiles(home, { "agent/agent.mdx": MINIMAL_AGENT });
  const child = Bun.spawn(cliCommand(["sandbox", "agent", "--", ...script(text)]), {
    ...{ cwd: home, env: cliEnvironment({ home }) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const output = child.stdout.getReader();
  return {
    child,
    read: async () => new TextDecoder().decode((await output.read()).value),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

const script = (text: string): readonly string[] => ["sh", "-c", text];

describe.skipIf(requireProgram("bwrap"))("the page of a sandbox", () => {
  test("shows for an example what the shell and its tools can write, read and reach, without trust", async () => {
    using home = temporaryDirectory();
    // What a run of the example left in the repository is no part of it.
    const isPart = (path: string): boolean => !/\/(sessions|state|logs)$/.test(path);
    cpSync(WEATHER, join(home.path, "weather"), { recursive: true, filter: isPart });
    writeFiles(home.path, { ".ssh/id_rsa": "key", "weather/.env": "KEY=1" });
    const before = readdirSync(join(home.path, "weather"));
    const { exitCode, stdout, stderr } = await runCli(["sandbox", "weather"], { home: home.path });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const lines = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, "  "));
    expect(lines).toEqual(
      expect.arrayContaining([
        `${home.path}/weather is contained by bubblewrap (mode auto)`,
        "The shell",
        "writes  the agent directory",
        "but not  agent.mdx, data, heartbeat.md, modules, skills",
        "writes, its own  ~, ~/.cache, ~/.npm, /dev/shm, /tmp, /var/tmp (in memory, 1 GiB together)",
        "network  none",
        "get_weather  network: everything that you can reach  files: as the shell  1 GiB of data a process, 60 s a call",
        "modules  modules/daylight.ts",
      ]),
    );
    expect(stdout).toMatch(/cannot create +\.autoenv, .* and \d+ more \(--all\)\n/);
    expect(stdout).toMatch(/hidden +\.env, .*\/etc\/shadow/);
    expect(readdirSync(join(home.path, "weather"))).toStrictEqual(before);
  });

  test("has each path on a separate line with --all", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const { stdout } = await runCli(["sandbox", "agent", "--all"], { home: home.path });
    expect(stdout).not.toContain("more (--all)");
    expect(stdout).toMatch(/\n +state\/memory\.json\n/);
  });

  test("is the truth as JSON: the shell writes what is writable, and nothing that is protected, hidden or elsewhere", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT, ".ssh/id_rsa": "key", "other.txt": "mine" });
    const { stdout } = await runCli(["sandbox", "agent", "--json"], { home: home.path });
    const { shell } = JSON.parse(stdout);
    const agent = join(home.path, "agent");
    expect(shell).toMatchObject({ writable: [agent], network: [], kibibytes: 4_194_304, seconds: 30 });
    expect(shell.private).toContain(home.path);
    expect(shell.placeholders).toContain(join(agent, "modules"));
    const isWritable = (path: string): string => `[ -w '${path}' ] && echo '${path}'`;
    const all = [
      ...shell.writable,
      ...shell.private,
      ...shell.protected,
      ...shell.hidden,
      join(home.path, "other.txt"),
    ];
    const written = await contain(home.path, script(all.map(isWritable).join("\n")));
    expect(written.stdout.trim().split("\n").toSorted()).toStrictEqual(
      [...shell.writable, ...shell.private].toSorted(),
    );
    const seen = await contain(home.path, script("ls -A ~"));
    expect(seen.stdout).toBe(".cache\n.npm\nagent\n");
  });

  test("says what the permissions deny and the settings name, and commands have that", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      ".config/mdx-ai/settings.yaml": "sandbox:\n  read: [~/data]\n  write: [~/out]\n",
      "agent/agent.mdx": MINIMAL_AGENT,
      ...{ "agent/plan.txt": "plan", "agent/kept.txt": "kept", "data/a.txt": "a", "out/b.txt": "b" },
    });
    const denials = ["--deny", "read_file(plan.txt)", "--deny", "write_file(kept.txt)"];
    const page = await runCli(["sandbox", "agent", "--json", ...denials], { home: home.path });
    const at = (path: string): string => join(home.path, path);
    expect(JSON.parse(page.stdout).shell).toMatchObject({
      writable: [at("agent"), at("out")],
      protected: [at("agent/agent.mdx"), at("agent/kept.txt"), at("agent/skills")],
      hidden: expect.arrayContaining([at("agent/plan.txt")]),
      shown: expect.arrayContaining([at("data")]),
    });
    const text = "cat plan.txt ../data/a.txt; echo 1 > ../out/c.txt; echo 1 > kept.txt; echo 1 > ../data/c.txt";
    const { stdout, stderr } = await runCli(["sandbox", "agent", ...denials, "--", ...script(text)], {
      home: home.path,
    });
    expect(stdout).toBe("a");
    expect(stderr.match(/Read-only file system/g)).toHaveLength(2);
    expect(readFileSync(at("out/c.txt"), "utf8")).toBe("1\n");
    const without = await contain(home.path, script("cat plan.txt; echo 1 > kept.txt"));
    expect(without).toEqual({ exitCode: 0, stdout: "plan", stderr: "" });
  });

  test("has the network and the files that a tool names, and makes no folder for it", async () => {
    using home = temporaryDirectory();
    const text = toolText(
      "report",
      "return 1;",
      ' network="api.example.com" files="read:data/**,write:out/*.txt" timeout="5"',
    );
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT + text, "agent/data/a.txt": "a" });
    const { stdout } = await runCli(["sandbox", "agent"], { home: home.path });
    expect(stdout).toMatch(
      /report +network: api\.example\.com +files: reads data\/\*\*; writes out\/\*\.txt .*5 s a call/,
    );
    const { tools } = JSON.parse((await runCli(["sandbox", "agent", "--json"], { home: home.path })).stdout);
    const agent = join(home.path, "agent");
    expect(tools).toMatchObject([
      { name: "report", network: ["api.example.com"], writable: [join(agent, "out")], seconds: 5 },
    ]);
    expect(tools[0].hidden).toContain(home.path);
    expect(tools[0].shown).toContain(join(agent, "data"));
    expect(existsSync(join(agent, "out"))).toBe(false);
  });

  test("runs nothing of the directory", async () => {
    using home = temporaryDirectory();
    const ran = join(home.path, "agent/ran.txt");
    const write = `process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(ran)}, "ran ")`;
    writeFiles(home.path, {
      "agent/agent.mdx": `${MINIMAL_AGENT}\nexport const made = ${write};\n\n{String(made)}\n`,
      "agent/modules/a.ts": `${write};\nexport default { describe: () => ({ name: "a", description: "A" }) };`,
    });
    const { exitCode, stdout } = await runCli(["sandbox", "agent"], { home: home.path });
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("modules/a.ts") });
    expect(existsSync(ran)).toBe(false);
    await runCli(["inspect", "agent", "--trust"], { home: home.path });
    expect(readFileSync(ran, "utf8")).toBe("ran ran ");
  });
});

describe.skipIf(requireProgram("bwrap"))("a command in a sandbox", () => {
  test.each([
    ["exit 7", 7],
    ["kill -TERM $$", 143],
    ["kill -KILL $$", 137],
    ["exec /nowhere/program", 127],
  ])("that is %s ends mdx-ai with the same exit code", async (text, exitCode) => {
    using home = temporaryDirectory();
    expect(await contain(home.path, script(text))).toMatchObject({ exitCode });
  });

  test("writes below the agent directory alone, and not onto what defines the agent", async () => {
    using home = temporaryDirectory();
    const text = "pwd; echo 1 > out.txt; echo 1 > ../out.txt; echo 1 > agent.mdx; echo 1 > heartbeat.md";
    const { stdout, stderr } = await contain(home.path, script(text));
    expect(stdout).toBe(`${home.path}/agent\n`);
    expect(stderr).toMatch(/agent\.mdx: Read-only file system\n.*heartbeat\.md: Is a directory\n/);
    expect(readdirSync(home.path)).not.toContain("out.txt");
    expect(readdirSync(join(home.path, "agent")).toSorted()).toStrictEqual(["agent.mdx", "out.txt", "skills"]);
    expect(readFileSync(join(home.path, "agent/agent.mdx"), "utf8")).toBe(MINIMAL_AGENT);
  });

  test("gets the input, every byte of it, and the words as they are", async () => {
    using home = temporaryDirectory();
    const input = "line\n".repeat(100_000);
    expect(await contain(home.path, ["cat"], { input })).toEqual({ exitCode: 0, stdout: input, stderr: "" });
    const words = ["--json", "a b", "'$x'", ""];
    const { stdout } = await contain(home.path, ["printf", "%s|", ...words]);
    expect(stdout).toBe(words.map((word) => `${word}|`).join(""));
  });

  test("has the variables of the shell, without keys and sockets, and no descriptor more than its streams", async () => {
    using home = temporaryDirectory();
    const environment = {
      ...{ COLOUR: "blue", EXAMPLE_API_KEY: "sk-0123456789abcdef0123", SSH_AUTH_SOCK: "/run/agent.sock" },
    };
    const text = 'echo "$COLOUR$EXAMPLE_API_KEY$SSH_AUTH_SOCK"; ls /proc/$$/fd';
    const { stdout } = await contain(home.path, script(text), { environment });
    expect(stdout).toBe("blue\n0\n1\n2\n");
  });

  test("is under the filter of system calls, like all commands of the shell", async () => {
    using home = temporaryDirectory();
    const { stdout } = await contain(home.path, ["grep", "Seccomp:", "/proc/self/status"]);
    expect(stdout).toBe("Seccomp:\t2\n");
  });

  test("is ended by what the user or the system sends to mdx-ai, with all that it started", async () => {
    using home = temporaryDirectory();
    await using running = startContained(home.path, "sleep 1000 & echo ready; wait");
    expect(await running.read()).toBe("ready\n");
    running.child.kill("SIGTERM");
    expect(await running.child.exited).toBe(143);
    expect(await running.read()).toBe("");
  });

  test("stops and continues with mdx-ai, as Ctrl+Z and fg have it", async () => {
    using home = temporaryDirectory();
    const text = "trap 'exit 3' TERM; : > dots.txt; echo ready; while :; do echo . >> dots.txt; sleep 0.01; done";
    await using running = startContained(home.path, text);
    const { child } = running;
    expect(await running.read()).toBe("ready\n");
    const dots = (): string => readFileSync(join(home.path, "agent/dots.txt"), "utf8");
    child.kill("SIGTSTP");
    await eventually(() => / T /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8")));
    let before: string;
    do {
      before = dots();
      await Bun.sleep(300);
    } while (dots() !== before);
    child.kill("SIGCONT");
    await eventually(() => expect(dots()).not.toBe(before));
    child.kill("SIGTERM");
    expect(await child.exited).toBe(3);
  });

  test("is not run without bubblewrap, unless --sandbox off says so", async () => {
    using home = temporaryDirectory();
    const environment = { PATH: "/nowhere" };
    const run = ["/bin/sh", "-c", "exit 5"];
    expect(await contain(home.path, run, { environment })).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `mdx-ai: the sandbox is required, but not available: ${NOT_INSTALLED}; --sandbox off runs without one\n`,
    });
    const args = ["sandbox", "agent", "--sandbox", "off", "--", ...run];
    expect(await runCli(args, { home: home.path, environment })).toEqual({ exitCode: 5, stdout: "", stderr: "" });
    const page = await runCli(["sandbox", "agent"], { home: home.path, environment });
    expect(page.stdout).toStartWith(`Nothing is sandboxed (mode auto): ${NOT_INSTALLED}\n`);
  });

  test("has the terminal, but cannot type into it: its session has no controlling terminal", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const text = "[ -t 0 ] && echo terminal; read -r _ _ _ _ _ _ number _ < /proc/$$/stat; echo controlled by $number.";
    await using terminal = new TerminalRun(["sandbox", "agent", "--", ...script(text)], { home: home.path });
    expect(await terminal.exited).toBe(0);
    expect(terminal.output).toContain("terminal\r\ncontrolled by 0.\r\n");
  });

  test("reads the terminal, and Ctrl+C ends it", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const text =
      "[ -t 0 ] && [ -t 1 ] && echo terminal; trap 'echo caught; exit 9' INT; read word; echo got $word; sleep 1000 & wait; echo never";
    await using terminal = new TerminalRun(["sandbox", "agent", "--", "sh", "-c", text], { home: home.path });
    await terminal.shows("terminal");
    terminal.write("hello\r");
    await terminal.shows("got hello");
    terminal.write("\u0003");
    expect(await terminal.exited).toBe(9);
    expect(terminal.output).toContain("caught");
    expect(terminal.output).not.toContain("never");
  });
});

describe("a wrong command line", () => {
  test.each([
    [["nowhere"], "nowhere is not an agent directory"],
    [["agent", "ls"], 'unexpected argument "ls"; usage: mdx-ai sandbox [dir] [-- command …]'],
    [["agent", "--"], "there is no command after --"],
    [["agent", "--json", "--", "ls"], "--json has no effect with a command"],
  ])("%j is exit code 2 and says what is wrong", async (args, complaint) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const { exitCode, stdout, stderr } = await runCli(["sandbox", ...args], { home: home.path });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(complaint);
  });
});
