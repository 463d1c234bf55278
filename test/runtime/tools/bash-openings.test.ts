import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalAnswer, ApprovalRequest } from "@mdx-ai/runtime";
import { executeTool } from "@mdx-ai/runtime";
import { Permissions } from "../../../packages/runtime/src/permissions/permissions.ts";
import { sandboxOpenings } from "../../../packages/runtime/src/permissions/sandbox-openings.ts";
import { bashTool } from "../../../packages/runtime/src/tools/bash.ts";
import type { BuiltinToolContext } from "../../../packages/runtime/src/types/tool.ts";
import { writeText } from "../../support/agent-files.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openSandboxBench, type SandboxBench } from "../../support/sandbox-bench.ts";
import { textOf, toolContext } from "../../support/tool-context.ts";

/** A user who is asked, and the shell of an agent beside which the user has a project. */
interface Shell {
  readonly asked: readonly ApprovalRequest[];
  readonly project: string;
  run(command: string): Promise<{ readonly text: string; readonly isError: boolean; readonly details: unknown }>;
}

function shellOf(bench: SandboxBench, answer: ApprovalAnswer["answer"] | "stop" = "once"): Shell {
  const { home, directory, sandbox } = bench;
  const environment = { PATH: process.env["PATH"], HOME: join(home, "me") };
  const asked: ApprovalRequest[] = [];
  const project = join(home, "project");
  mkdirSync(project);
  const abortion = new AbortController();
  const permissions = new Permissions({
    ...{ agentDir: directory, cwd: directory, environment, now: () => 0 },
    onApproval: async (request) => {
      asked.push(request);
      if (answer === "stop") abortion.abort();
      return { answer: answer === "stop" ? "once" : answer };
    },
  });
  const tool = bashTool({ agentDir: directory, environment, sandbox });
  const run: Shell["run"] = async (command) => {
    const args = { command, timeout: 20 };
    const session = { session: "main", sessionKey: "main", toolCallId: "c1", tool: "bash", args };
    const openings = sandboxOpenings({ permissions, ...session });
    const context: BuiltinToolContext = { ...toolContext(directory, abortion.signal), openings };
    const result = await executeTool(tool, args, context);
    return { text: textOf(result), isError: result.isError, details: result.details };
  };
  return { asked, project, run };
}

/** A server on the loopback of this machine. */
function server(text: string): { readonly host: string; readonly url: string } & Disposable {
  const served = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(text) });
  const host = `127.0.0.1:${served.port}`;
  return { host, url: `http://${host}/`, [Symbol.dispose]: () => void served.stop(true) };
}

const accesses = (shell: Shell): readonly unknown[] =>
  shell.asked.map(({ access }) => (access.kind === "sandbox" ? access.wanted : access));

describe.skipIf(requireProgram("bwrap"))("a command that the sandbox held back", () => {
  test("runs again with the host that the user allows, and its details say so", async () => {
    using page = server("a page");
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    const result = await shell.run(`echo run >> runs; curl -s ${page.url}`);
    expect(result).toMatchObject({ text: "a page", isError: false });
    expect(result.details).toMatchObject({ exitCode: 0, opened: [{ kind: "host", host: page.host, lasts: "once" }] });
    expect(readFileSync(join(bench.directory, "runs"), "utf8")).toBe("run\nrun\n");
    expect((await shell.run(`curl -s ${page.url}`)).text).toBe("a page");
    expect(accesses(shell)).toEqual(Array(2).fill({ kind: "host", host: page.host }));
  });

  test("is asked about one host after the other", async () => {
    using one = server("one ");
    using other = server("other");
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    const { text, details } = await shell.run(`curl -sSf ${one.url} && curl -sSf ${other.url}`);
    expect(text).toBe("one other");
    expect(accesses(shell)).toEqual([one, other].map(({ host }) => ({ kind: "host", host })));
    expect(details).toMatchObject({ opened: [{ host: one.host }, { host: other.host }] });
  });

  test("is asked about no more where the user allows it for the session", async () => {
    using page = server("a page");
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench, "session");
    await shell.run(`curl -s ${page.url}`);
    const again = await shell.run(`curl -s ${page.url}?again`);
    expect(again).toMatchObject({ text: "a page", details: { opened: [{ host: page.host, lasts: "session" }] } });
    expect(shell.asked.length).toBe(1);
  });

  test("writes where the user allows it, and nowhere else", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    const { details } = await shell.run("cd ../project && echo text > a.txt && mkdir b && touch b/c");
    expect(details).toMatchObject({ exitCode: 0, opened: [{ kind: "write", path: shell.project, lasts: "once" }] });
    expect(readFileSync(join(shell.project, "a.txt"), "utf8")).toBe("text\n");
    expect(existsSync(join(shell.project, "b/c"))).toBe(true);
    const { text } = await shell.run("touch ../project/d; touch ../../beside");
    expect(text).toContain("Read-only file system");
    expect(readdirSync(bench.home).toSorted()).toEqual(["agent", "project"]);
  });

  test("writes one file where that exists", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench, "session");
    writeText(join(shell.project, "a.txt"), "old\n");
    await shell.run("echo new >> ../project/a.txt");
    expect(readFileSync(join(shell.project, "a.txt"), "utf8")).toBe("old\nnew\n");
    // A file that replaces it is another one.
    writeText(join(shell.project, "a.new"), "replaced\n");
    await Bun.$`mv ${shell.project}/a.new ${shell.project}/a.txt`.quiet();
    await shell.run("echo more >> ../project/a.txt");
    expect(readFileSync(join(shell.project, "a.txt"), "utf8")).toBe("replaced\nmore\n");
    expect(shell.asked.length).toBe(1);
  });

  test("stays as it was with a no, which the model receives", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench, "no");
    const { text, details } = await shell.run("touch ../project/a.txt");
    expect(text).toMatch(/\[exit code 1\]\n\[the sandbox prevented writing .*\]\n\[the user did not allow it\]$/);
    expect(details).toEqual({
      exitCode: 1,
      signal: null,
      timedOut: false,
      bytes: expect.any(Number),
      truncated: false,
    });
    expect(readdirSync(shell.project)).toEqual([]);
  });

  test("does not run again when its prompt is stopped while the user is asked", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench, "stop");
    await shell.run("echo run >> runs; touch ../project/a.txt");
    expect(readFileSync(join(bench.directory, "runs"), "utf8")).toBe("run\n");
  });

  test("runs without a sandbox where nothing less helps, if the user allows it", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    const { text, details } = await shell.run("echo changed > agent.mdx && cat agent.mdx");
    expect(text).toBe("changed\n");
    expect(details).toMatchObject({ opened: [{ kind: "outside", lasts: "once" }] });
    expect(shell.asked[0]?.reason).toBe(
      `the sandbox prevented writing ${bench.directory}/agent.mdx, which defines the agent`,
    );
    expect((await shell.run("echo again > agent.mdx")).isError).toBe(false);
    expect(shell.asked.length).toBe(2);
  });

  test("is asked about ten times at most, however many hosts it names", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    const { isError } = await shell.run("echo >> runs; echo Could not resolve host: h$(wc -l < runs).example; exit 6");
    expect(isError).toBe(true);
    expect(shell.asked.length).toBe(10);
    expect(readFileSync(join(bench.directory, "runs"), "utf8").length).toBe(11);
  });

  test("is not asked about where it succeeds, or where nothing shows that the sandbox held it back", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    expect((await shell.run("touch ../project/a; true")).isError).toBe(false);
    expect((await shell.run("false")).isError).toBe(true);
    expect(shell.asked).toEqual([]);
  });

  test("changes nothing of the agent and sees no secret in a folder that is opened around them", async () => {
    await using bench = openSandboxBench({
      ownHome: "me",
      cwd: ".",
      files: { "../me/.ssh/id": "secret", ".git/config": "the settings" },
    });
    const { home, directory, sandbox } = bench;
    const tool = bashTool({ agentDir: directory, environment: { PATH: process.env["PATH"] }, sandbox });
    const places = [home, join(home, "me/.ssh"), directory, join(directory, ".git")];
    const openings = {
      known: () => places.map((path) => ({ access: { kind: "write", path }, lasts: "always" }) as const),
      ask: async () => undefined,
    };
    const command =
      "touch ../opened; echo x > agent.mdx; echo x > .git/config; touch modules/x.ts; mv ../agent ../moved; mv .git git; cat ../me/.ssh/id";
    const context: BuiltinToolContext = { ...toolContext(directory), openings };
    const result = await executeTool(tool, { command }, context);
    expect(textOf(result)).not.toContain("secret");
    expect(readdirSync(home).toSorted()).toEqual(["agent", "me", "opened"]);
    expect(readFileSync(join(directory, "agent.mdx"), "utf8")).toBe("the definition");
    expect(readFileSync(join(directory, ".git/config"), "utf8")).toBe("the settings");
    expect(existsSync(join(directory, "modules/x.ts"))).toBe(false);
    expect(readFileSync(join(home, "me/.ssh/id"), "utf8")).toBe("secret");
  });
});
