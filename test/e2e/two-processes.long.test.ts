import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually, untilExists } from "../support/eventually.ts";
import { gatedCall, openGate } from "../support/gated-tool.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";
import { withinBubblewrap } from "../support/within-bubblewrap.ts";

const agentArgs = (home: string, replies: readonly Reply[], ...options: readonly string[]): string[] => [
  ...["agent", "agent", "--trust", "--model", scriptReference(home, replies)],
  ...options,
];

const ask = (home: string, ...options: readonly string[]): Promise<CliResult> =>
  runCli(agentArgs(home, [{ text: "Second." }], "--prompt", "Two", ...options), { home });

/** The same where an earlier process left its prompt unfinished, which is finished before. */
const askAfter = (home: string, ...options: readonly string[]): Promise<CliResult> =>
  runCli(agentArgs(home, [{ text: "First." }, { text: "Second." }], "--prompt", "Two", ...options), { home });

interface Holder extends Disposable {
  readonly pid: number;
  /** Lets it end, and resolves when it has. */
  end(): Promise<number>;
  kill(): Promise<void>;
}

/** A process in the middle of a prompt of session main. */
async function hold(home: string, session = "main"): Promise<Holder> {
  writeFiles(home, { "agent/agent.mdx": MINIMAL_AGENT });
  const gate = `gate-${session}`;
  const replies = [
    { calls: [{ id: "a", name: "bash", arguments: gatedCall(gate, `touch begun-${session}; `) }] },
    { text: "First." },
  ];
  const args = agentArgs(home, replies, "--prompt", "One", "--session", session);
  const child = Bun.spawn(cliCommand(args), { cwd: home, env: cliEnvironment({ home }), stderr: "ignore" });
  await untilExists(join(home, "agent", `begun-${session}`));
  return {
    pid: child.pid,
    end() {
      openGate(join(home, "agent"), gate);
      return child.exited;
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
    [Symbol.dispose]() {
      child.kill("SIGKILL");
      openGate(join(home, "agent"), gate);
    },
  };
}

const HOLDER = String.raw`process \d+ since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;

describe.skipIf(requireProgram("bwrap"))("a second process", () => {
  test("reports which process uses the session, since when, and what to do; its exit code is 1", async () => {
    using home = temporaryDirectory();
    using holder = await hold(home.path);
    const { exitCode, stdout, stderr } = await ask(home.path);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      new RegExp(
        `^mdx-ai: session main is in use by ${HOLDER}; wait for it with --wait, or start another one with --session new\n$`,
      ),
    );
    expect(stderr).toContain(`process ${holder.pid} since`);
    expect(await holder.end()).toBe(0);
  });

  test("waits with --wait, says so once, and continues when the first one is done", async () => {
    using home = temporaryDirectory();
    using holder = await hold(home.path);
    const args = agentArgs(home.path, [{ text: "Second." }], "--prompt", "Two", "--wait");
    const child = Bun.spawn(cliCommand(args), {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdout: "pipe",
      stderr: Bun.file(join(home.path, "stderr")),
    });
    const stderr = (): string => readFileSync(join(home.path, "stderr"), "utf8");
    await eventually(() => stderr().endsWith("\n"));
    expect(await holder.end()).toBe(0);
    expect(await child.stdout.text()).toBe("Second.\n");
    expect(await child.exited).toBe(0);
    expect(stderr()).toMatch(new RegExp(`^mdx-ai: session main is in use by ${HOLDER}; waiting until it is free\n$`));
    const history = JSON.parse(readFileSync(join(home.path, "agent/sessions/main/history.json"), "utf8"));
    expect(history.map(({ content }: { readonly content: string }) => content)).toEqual([
      "One",
      "First.",
      "Two",
      "Second.",
    ]);
  });

  test("that waits on a terminal converses when the session is free", async () => {
    using home = temporaryDirectory();
    using holder = await hold(home.path);
    await using terminal = new TerminalRun(agentArgs(home.path, [{ text: "Second." }], "--wait"), { home: home.path });
    await terminal.shows("waiting until it is free");
    await holder.end();
    await terminal.shows("Minimal");
    terminal.write("Two\r");
    await terminal.shows("Second.");
  });

  test("that waits is stopped by Ctrl+C with exit code 130", async () => {
    using home = temporaryDirectory();
    using holder = await hold(home.path);
    await using terminal = new TerminalRun(agentArgs(home.path, [], "--prompt", "Two", "--wait"), { home: home.path });
    await terminal.shows("waiting until it is free");
    terminal.write("\u0003");
    expect(await terminal.exited).toBe(130);
    expect(await holder.end()).toBe(0);
  });

  test("uses another session of the same agent side by side", async () => {
    using home = temporaryDirectory();
    using holder = await hold(home.path);
    expect(await ask(home.path, "--session", "other")).toMatchObject({ exitCode: 0, stdout: "Second.\n" });
    using other = await hold(home.path, "other");
    expect(await ask(home.path, "--session", "other")).toMatchObject({ exitCode: 1 });
    expect(await holder.end()).toBe(0);
    expect(await other.end()).toBe(0);
  });

  test("only looks at a session in use when it verifies", async () => {
    using home = temporaryDirectory();
    using holder = await hold(home.path);
    const { exitCode, stdout } = await runCli(["sessions", "agent", "verify"], { home: home.path });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^main: ok, 1 prompt, the last one unfinished, only checked, since it is in use by ${HOLDER}\n$`),
    );
    expect(await holder.end()).toBe(0);
  });

  test("may not wait for what is never kept", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const { exitCode, stderr } = await ask(home.path, "--wait", "--ephemeral");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--ephemeral keeps no session, so --wait has no effect");
  });
});

describe.skipIf(requireProgram("bwrap"))("the lock of a process that has ended", () => {
  test("is taken over, with what it left to finish", async () => {
    using home = temporaryDirectory();
    using holder = await hold(home.path);
    await holder.kill();
    openGate(join(home.path, "agent"), "gate-main");
    expect(await askAfter(home.path, "--wait")).toMatchObject({ exitCode: 0, stdout: "Second.\n" });
  });

  test.skipIf(process.platform !== "linux")("is taken over where another process has its number now", async () => {
    using home = temporaryDirectory();
    using holder = await hold(home.path);
    const path = join(home.path, "agent/sessions/main/lock");
    const lock = JSON.parse(readFileSync(path, "utf8"));
    await holder.kill();
    openGate(join(home.path, "agent"), "gate-main");
    // This process runs, and is not the one that took the lock.
    writeFileSync(path, JSON.stringify({ ...lock, pid: process.pid }));
    expect(await askAfter(home.path)).toMatchObject({ exitCode: 0, stdout: "Second.\n" });
  });
});

describe.skipIf(requireProgram("bwrap"))("a process that the others cannot see", () => {
  test.each([
    ["on another host", ["--unshare-uts", "--unshare-user", "--hostname", "far"], `${HOLDER} on host`],
    ["in another container", ["--unshare-pid", "--proc", "/proc"], `${HOLDER} in another container`],
  ])("%s finds the session in use, and says where its holder is", async (_name, changes, text) => {
    using home = temporaryDirectory();
    using holder = await hold(home.path);
    const command = cliCommand(agentArgs(home.path, [], "--prompt", "Two"));
    const { exitCode, stderr } = await withinBubblewrap(command, { home: home.path, changes });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`session main is in use by ${text}`));
    expect(await holder.end()).toBe(0);
  });
});
