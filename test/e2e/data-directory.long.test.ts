import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, cliCommand } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";
import { withinBubblewrap } from "../support/within-bubblewrap.ts";

/** A home with an agent in `agent/`. */
function agentHome(files: Readonly<Record<string, string>> = {}): TemporaryDirectory {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT, ...files });
  return home;
}

/** What is in it before anything runs. */
const SOURCE = ["agent.mdx", "skills"];

const askArgs = (home: string, prompt: string, ...more: readonly string[]): string[] => {
  const model = scriptReference(home, [{ text: `Answer to ${prompt}`, usage: { input: 5, output: 3 } }]);
  return ["agent", "agent", "--trust", "--prompt", prompt, "--model", model, ...more];
};

const ask = (home: string, prompt: string, ...more: readonly string[]): Promise<CliResult> =>
  runCommandLine(askArgs(home, prompt, ...more), { home });

const namesIn = (folder: string): readonly string[] => readdirSync(folder).toSorted();

describe("a separate data directory: --data", () => {
  test("gets sessions, state and logs, readable by the user alone; the agent directory stays as it was", async () => {
    using home = agentHome();
    const result = await ask(home.path, "One", "--data", "deep/data");
    expect(result).toMatchObject({ exitCode: 0, stdout: "Answer to One\n" });
    expect(namesIn(join(home.path, "agent"))).toStrictEqual(SOURCE);
    const data = join(home.path, "deep/data");
    expect(namesIn(data)).toStrictEqual(["logs", "sessions", "state"]);
    expect(namesIn(join(data, "state"))).toStrictEqual(["agent-state.json", "usage.jsonl"]);
    expect(namesIn(join(data, "logs"))).toContain("main.jsonl");
    for (const folder of ["", "sessions", "state", "logs"]) {
      expect(statSync(join(data, folder)).mode & 0o777).toBe(0o700);
    }
  });

  test("is where the next run continues; without it there is another conversation", async () => {
    using home = agentHome();
    await ask(home.path, "One", "--data", "data");
    await ask(home.path, "Two", "--data=data", "--continue");
    await ask(home.path, "Three");
    const said = (folder: string): readonly string[] =>
      JSON.parse(readFileSync(join(home.path, folder, "sessions/main/history.json"), "utf8"))
        .filter(({ role }: { readonly role: string }) => role === "user")
        .map(({ content }: { readonly content: string }) => content);
    expect([said("data"), said("agent")]).toStrictEqual([["One", "Two"], ["Three"]]);
  });

  test("holds the memories that a model gets; AGENT.md stays beside agent.mdx", async () => {
    using home = agentHome({
      "agent/AGENT.md": "* noted in the source\n",
      "data/AGENT.md": "* noted elsewhere\n",
      "agent/state/memory.json": '[{"id":"1","timestamp":"t","content":"remembered in the source"}]',
      "data/state/memory.json": '[{"id":"2","timestamp":"t","content":"remembered in the data"}]',
    });
    const { stdout } = await runCommandLine(["inspect", "agent", "--trust", "--data", "data"], { home: home.path });
    expect(stdout).toContain("noted in the source");
    expect(stdout).toContain("remembered in the data");
    expect(stdout).not.toContain("noted elsewhere");
    expect(stdout).not.toContain("remembered in the source");
  });

  test("is read by sessions, trace and replay", async () => {
    using home = agentHome();
    await ask(home.path, "One", "--data", "data", "--session", "work");
    const run = (...args: readonly string[]): Promise<CliResult> =>
      runCommandLine([...args, "--data", "data"], { home: home.path });
    const found = await Promise.all([
      run("sessions", "agent"),
      run("sessions", "agent", "show", "work"),
      run("sessions", "agent", "export", "work", "--format", "json"),
      run("sessions", "agent", "verify", "--check"),
      run("trace", "agent", "--session", "work"),
      run("replay", "agent", "--session", "work"),
    ]);
    expect(found.map(({ exitCode }) => exitCode)).toStrictEqual([0, 0, 0, 0, 0, 0]);
    for (const index of [0, 1, 2, 3, 4]) expect(found[index]?.stdout).toContain("work");
    for (const index of [1, 2, 4, 5]) expect(found[index]?.stdout).toContain("One");
    const without = await Promise.all([
      runCommandLine(["sessions", "agent"], { home: home.path }),
      runCommandLine(["trace", "agent", "--session", "work"], { home: home.path }),
      runCommandLine(["replay", "agent", "--session", "work"], { home: home.path }),
    ]);
    expect(without[0]?.stderr).toBe("There is no session yet.\n");
    for (const { stderr } of without.slice(1)) expect(stderr).toContain("work");
  });

  test("holds the memories that another model gets in a replay", async () => {
    using server = anthropicServer(textReply("Two."));
    using home = agentHome({
      "data/state/memory.json": '[{"id":"2","timestamp":"t","content":"remembered in the data"}]',
    });
    await ask(home.path, "One", "--data", "data");
    const args = ["replay", "agent", "--data", "data", "--with", "anthropic/claude-test"];
    const { environment } = server;
    expect(await runCommandLine(args, { home: home.path, environment })).toMatchObject({ exitCode: 0 });
    expect(server.requests[0]?.text).toContain("remembered in the data");
  });

  test("is changed by the actions of sessions", async () => {
    using home = agentHome();
    await ask(home.path, "One", "--data", "data");
    const act = (...args: readonly string[]): Promise<CliResult> =>
      runCommandLine(["sessions", "agent", ...args, "--data", "data"], { home: home.path });
    expect(await act("fork", "main", "copy")).toMatchObject({ exitCode: 0 });
    expect(await act("rewind", "copy", "--to", "0")).toMatchObject({ exitCode: 0 });
    expect(await act("rename", "main", "first")).toMatchObject({ exitCode: 0 });
    expect(await act("delete", "copy", "--yes")).toMatchObject({ exitCode: 0 });
    expect(namesIn(join(home.path, "data/sessions"))).toStrictEqual(["first"]);
    expect(namesIn(join(home.path, "data/logs"))).toContain("first.jsonl");
    expect(namesIn(join(home.path, "agent"))).toStrictEqual(SOURCE);
  });

  test("is accepted by the tests of an agent, which leave nothing in it", async () => {
    using home = agentHome();
    await ask(home.path, "One", "--data", "data");
    mkdirSync(join(home.path, "agent/tests"));
    const recording = ["sessions", "agent", "export", "main", "--format", "jsonl", "--output", "agent/tests/one.jsonl"];
    await runCommandLine([...recording, "--data", "data"], { home: home.path });
    const before = readFileSync(join(home.path, "data/state/usage.jsonl"), "utf8");
    const result = await runCommandLine(["test", "agent", "--trust", "--data", "data"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(home.path, "data/state/usage.jsonl"), "utf8")).toBe(before);
  });

  test.each([
    ["an empty name", '--data needs a folder, but got ""', ""],
    ["a file", "is not a folder", "agent/agent.mdx"],
    ["a folder within the agent directory", "must not contain each other", "agent/data"],
    ["the same by a link", "must not contain each other", "link/data"],
    ["the directory of another agent", "is the directory of another agent", "other"],
  ])("is refused as %s, and nothing is written", async (_what, problem, data) => {
    using home = agentHome({ "other/agent.mdx": MINIMAL_AGENT });
    symlinkSync(join(home.path, "agent"), join(home.path, "link"));
    const result = await ask(home.path, "One", `--data=${data}`);
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain(problem);
    expect([namesIn(join(home.path, "agent")), namesIn(join(home.path, "other"))]).toStrictEqual([SOURCE, SOURCE]);
  });

  test("may be the agent directory itself", async () => {
    using home = agentHome();
    expect(await ask(home.path, "One", "--data", "agent")).toMatchObject({ exitCode: 0 });
    expect(namesIn(join(home.path, "agent"))).toStrictEqual(["agent.mdx", "logs", "sessions", "skills", "state"]);
  });

  test("must exist where it is only read", async () => {
    using home = agentHome();
    for (const command of ["sessions", "trace", "replay", "inspect", "test"]) {
      const result = await runCommandLine([command, "agent", "--data", "missing"], { home: home.path });
      expect(result).toMatchObject({ exitCode: 2 });
      expect(result.stderr).toContain("does not exist");
    }
    expect(existsSync(join(home.path, "missing"))).toBe(false);
  });
});

describe.skipIf(requireProgram("bwrap"))("an agent directory on a read-only file system", () => {
  /** Runs the program where `agent/` cannot be changed, and all else can. */
  const run = (home: string, ...args: readonly string[]): Promise<CliResult> => {
    const agent = join(home, "agent");
    return withinBubblewrap(cliCommand(args), { home, changes: ["--ro-bind", agent, agent] });
  };

  test("keeps its data in a folder of the user's, which one line names, and every command finds it there", async () => {
    using home = agentHome();
    const first = await run(home.path, ...askArgs(home.path, "One"));
    expect(first).toMatchObject({ exitCode: 0, stdout: "Answer to One\n" });
    const folders = join(home.path, ".local/state/mdx-ai/data");
    const [name = "", ...others] = readdirSync(folders);
    expect([name, others]).toStrictEqual([expect.stringMatching(/^agent-[0-9a-f]{16}$/), []]);
    const data = join(folders, name);
    expect(namesIn(data)).toStrictEqual(["logs", "sessions", "state"]);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    const line = `mdx-ai: ${join(home.path, "agent")} is read-only; its sessions, state and logs are in ${data}\n`;
    expect(first.stderr.split(line)).toHaveLength(2);
    expect(await run(home.path, ...askArgs(home.path, "Two", "--continue"))).toMatchObject({ exitCode: 0 });
    for (const command of [
      ["sessions", "agent", "show", "main"],
      ["trace", "agent"],
      ["replay", "agent"],
    ]) {
      const result = await run(home.path, ...command);
      expect(result).toMatchObject({ exitCode: 0 });
      expect(result.stdout).toContain("Two");
      expect(result.stderr.split(line)).toHaveLength(2);
    }
    expect(namesIn(join(home.path, "agent"))).toStrictEqual(SOURCE);
  });

  test("uses --data all the same", async () => {
    using home = agentHome();
    const result = await run(home.path, ...askArgs(home.path, "One", "--data", "data"));
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result.stderr).not.toContain("read-only");
    expect(existsSync(join(home.path, "data/sessions/main/journal.jsonl"))).toBe(true);
    expect(existsSync(join(home.path, ".local/state/mdx-ai/data"))).toBe(false);
  });

  test("makes no folder for an ephemeral run, nor for looking at its sessions", async () => {
    using home = agentHome();
    expect(await run(home.path, ...askArgs(home.path, "One", "--ephemeral"))).toMatchObject({ exitCode: 0 });
    expect(await run(home.path, "sessions", "agent")).toMatchObject({
      exitCode: 0,
      stderr: "There is no session yet.\n",
    });
    expect(existsSync(join(home.path, ".local/state/mdx-ai/data"))).toBe(false);
  });

  test("still shows the sessions that it came with", async () => {
    using home = agentHome();
    await ask(home.path, "One");
    const result = await run(home.path, "sessions", "agent", "show", "main");
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(result.stdout).toContain("Answer to One");
  });

  test("without a folder of the user's the failure names the agent directory", async () => {
    using home = agentHome();
    const agent = join(home.path, "agent");
    const command = ["env", "-u", "HOME", ...cliCommand(askArgs(home.path, "One"))];
    const result = await withinBubblewrap(command, { home: home.path, changes: ["--ro-bind", agent, agent] });
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toContain(`${agent}/sessions`);
  });
});

const NOBODY = 65_534;

describe.skipIf(process.getuid?.() !== 0)("an agent directory of another user", () => {
  test("keeps the data of each user in a folder of their own", async () => {
    using home = agentHome();
    // The test's folder is root's alone, and the program may lie where others cannot read.
    const shared = join(home.path, "agent");
    writeText(join(shared, "sessions/.keep"), "");
    chmodSync(join(shared, "sessions"), 0o700);
    chmodSync(shared, 0o755);
    chmodSync(home.path, 0o755);
    const own = join(home.path, "nobody");
    mkdirSync(own);
    chownSync(own, NOBODY, NOBODY);
    const program = `
      const { dataDirectory } = await import(${JSON.stringify(import.meta.resolve("@mdx-ai/directory"))});
      process.setgid(${NOBODY});
      process.setuid(${NOBODY});
      const context = {
        environment: { HOME: ${JSON.stringify(own)} },
        onNotice: ({ type, text }) => console.error(type + ": " + text),
      };
      for (const isWriting of [false, true, false]) {
        console.log(dataDirectory({ agentDir: ${JSON.stringify(shared)}, isWriting }, context));
      }
    `;
    const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    const [before, written, after] = stdout.trimEnd().split("\n");
    expect(before).toBe(shared);
    expect(written).toStartWith(join(own, ".local/state/mdx-ai/data/agent-"));
    expect(after).toBe(written ?? "");
    expect(stderr.trimEnd().split("\n")).toStrictEqual([
      `note: ${shared} is read-only; its sessions, state and logs are in ${written}`,
      `note: ${shared} is read-only; its sessions, state and logs are in ${written}`,
    ]);
  });
});
