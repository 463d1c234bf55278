import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { untilExists } from "../support/eventually.ts";
import { noProcessesOf } from "../support/remaining-processes.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

interface InterruptedRun {
  readonly args: readonly string[];
  readonly signals: readonly NodeJS.Signals[];
  /** A file that appears when the time has come. */
  readonly mark: string;
}

async function interrupt(home: TemporaryDirectory, { args, signals, mark }: InterruptedRun): Promise<CliResult> {
  const child = Bun.spawn(cliCommand(args), {
    cwd: home.path,
    env: cliEnvironment({ home: home.path }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  await untilExists(join(home.path, mark));
  for (const signal of signals) child.kill(signal);
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, exitCode };
}

/** A prompt whose tool sleeps for long after it has left a mark and the process id of its sleep. */
const sleepingPrompt = (home: TemporaryDirectory): readonly string[] => {
  writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
  const calls = [
    {
      id: "c1",
      name: "bash",
      arguments: { command: "sleep 600 & echo $! > mark.tmp; mv mark.tmp mark; wait", timeout: 600 },
    },
  ];
  return ["agent", "--trust", "--prompt", "hi", "--model", scriptReference(home.path, [{ calls }, { text: "never" }])];
};

describe.skipIf(requireProgram("bwrap"))("an interrupted prompt", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("ends by %s with its tools, closed in order, exit code %d", async (signal, exitCode) => {
    using home = temporaryDirectory();
    const result = await interrupt(home, { args: sleepingPrompt(home), signals: [signal], mark: "mark" });
    expect(result).toMatchObject({ exitCode, stdout: "", stderr: expect.stringContaining("mdx-ai: interrupted\n") });
    await noProcessesOf(home.path);
    expect(existsSync(join(home.path, "sessions/main/lock"))).toBe(false);
  });

  test("takes the same Ctrl+C from a terminal and a launcher for one", async () => {
    using home = temporaryDirectory();
    const result = await interrupt(home, { args: sleepingPrompt(home), signals: ["SIGINT", "SIGINT"], mark: "mark" });
    expect(result).toMatchObject({ exitCode: 130 });
    expect(existsSync(join(home.path, "sessions/main/lock"))).toBe(false);
  });

  test("ends at once where the user insists", async () => {
    using home = temporaryDirectory();
    const module = `export default {
      describe: () => ({ name: "stuck", description: "Hangs" }),
      initialize: () => new Promise(() => require("node:fs").writeFileSync(${JSON.stringify(join(home.path, "mark"))}, "")),
      tools: () => [],
      systemPrompt: () => "",
      start: async () => {},
      stop: () => {},
    };`;
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT, "modules/stuck.ts": module });
    const model = scriptReference(home.path, [{ text: "never" }]);
    const child = Bun.spawn(cliCommand(["agent", "--trust", "--prompt", "hi", "--model", model]), {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "ignore", "ignore"],
    });
    await untilExists(join(home.path, "mark"));
    while (child.exitCode === null) {
      child.kill("SIGINT");
      await Bun.sleep(100);
    }
    expect(child.exitCode).toBe(130);
  });

  test("can be followed by another prompt", async () => {
    using home = temporaryDirectory();
    await interrupt(home, { args: sleepingPrompt(home), signals: ["SIGINT"], mark: "mark" });
    const model = scriptReference(home.path, [{ text: "here again" }]);
    const result = await runCommandLine(["agent", "--trust", "--prompt", "and?", "--model", model], {
      home: home.path,
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: "here again\n" });
  });

  test("prints its events to the end with --json", async () => {
    using home = temporaryDirectory();
    const args = [...sleepingPrompt(home), "--json"];
    const result = await interrupt(home, { args, signals: ["SIGINT"], mark: "mark" });
    const last: unknown = JSON.parse(result.stdout.trimEnd().split("\n").at(-1) ?? "");
    expect(last).toMatchObject({ type: "agent_end", outcome: "aborted" });
  });
});

describe.skipIf(requireProgram("bwrap"))("a prompt whose reader leaves stays interrupted, exit code 141:", () => {
  /** Runs a prompt with `--json` into a command; gives what both print. */
  async function piped(home: TemporaryDirectory, reply: Reply, reader: string): Promise<CliResult> {
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const model = scriptReference(home.path, [reply]);
    const command = cliCommand(["agent", "--trust", "--prompt", "hi", "--model", model, "--json"]);
    const child = Bun.spawn(["sh", "-c", `("$@"; echo "exit $?" >&2) | ${reader}`, "sh", ...command], {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    await noProcessesOf(home.path);
    return { stdout, stderr, exitCode };
  }

  function resume(home: TemporaryDirectory): Promise<CliResult> {
    const model = scriptReference(home.path, [{ text: "finished" }]);
    return runCommandLine(["agent", "--trust", "--resume", "--model", model], { home: home.path });
  }

  test("while the model answers", async () => {
    using home = temporaryDirectory();
    const deltas = Array.from({ length: 600 }, () => "word ");
    const { stdout, stderr } = await piped(home, { deltas, deltaDelay: 100 }, "head -n 1");
    expect(JSON.parse(stdout)).toEqual({ type: "agent_start", promptId: expect.any(String), id: "1.1" });
    expect(stderr).toBe("exit 141\n");
    expect(await resume(home)).toMatchObject({ exitCode: 0, stdout: "finished\n" });
  });

  test("while a tool runs, which is not run again", async () => {
    using home = temporaryDirectory();
    const commands = ["echo run >> runs; sleep 600", "sleep 2"];
    const calls = commands.map((command, at) => ({ id: `c${at}`, name: "bash", arguments: { command, timeout: 600 } }));
    const reader = "sh -c 'while [ ! -e runs ]; do sleep 0.1; done'";
    expect((await piped(home, { calls }, reader)).stderr).toBe("exit 141\n");
    const resumed = await resume(home);
    expect(resumed).toMatchObject({ exitCode: 0, stdout: "finished\n" });
    expect(resumed.stderr).toContain("the outcome of bash is unknown");
    expect(readFileSync(join(home.path, "runs"), "utf8")).toBe("run\n");
  });
});

describe("an interrupted tool", () => {
  test("ends with exit code 130", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": GREETING_AGENT });
    const args = ["tool", ".", "bash", "command=touch mark; sleep 600", "timeout=600", "--trust"];
    expect(await interrupt(home, { args, signals: ["SIGINT"], mark: "mark" })).toMatchObject({ exitCode: 130 });
  });
});
