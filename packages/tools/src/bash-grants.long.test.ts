import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalAnswer, ApprovalRequest, AskApproval, BuiltinToolContext, SandboxAccess } from "@mdx-ai/loop";
import { Permissions, sandboxGrants } from "@mdx-ai/permissions";
import { executeTool } from "@mdx-ai/tools";
import { writeText } from "../../../test/support/agent-files.ts";
import { requireProgram } from "../../../test/support/require-program.ts";
import { openSandboxBench, type SandboxBench } from "../../../test/support/sandbox-bench.ts";
import { sessionQuestions } from "../../../test/support/session-questions.ts";
import { textOf, toolContext } from "../../../test/support/tool-context.ts";
import { bashTool } from "./bash.ts";

/** A user who is asked, and the shell of an agent beside which the user has a project. */
interface Shell {
  readonly asked: readonly ApprovalRequest[];
  readonly project: string;
  run(command: string): Promise<{ readonly text: string; readonly isError: boolean; readonly details: unknown }>;
}

type Asks = Parameters<typeof sandboxGrants>[0]["ask"];

function shellOf(bench: SandboxBench, answer: ApprovalAnswer["answer"] | "stop" = "once"): Shell {
  const { home, directory, sandbox } = bench;
  const environment = { PATH: process.env["PATH"], HOME: join(home, "me") };
  const asked: ApprovalRequest[] = [];
  const project = join(home, "project");
  mkdirSync(project);
  const abortion = new AbortController();
  const onApproval: AskApproval = async (request) => {
    asked.push(request);
    if (answer === "stop") abortion.abort();
    return { answer: answer === "stop" ? "once" : answer };
  };
  const permissions = new Permissions({
    ...{ agentDir: directory, cwd: directory, environment, now: () => 0 },
    onApproval,
  });
  const questions = sessionQuestions({ onApproval });
  const tool = bashTool({ environment, sandbox });
  const run: Shell["run"] = async (command) => {
    const args = { command, timeout: 20 };
    const session = { session: "main", sessionKey: "main", toolCallId: "c1", tool: "bash", args };
    const ask: Asks = (subject, signal, isSettled) => questions.askBeside(subject, signal, { isSettled });
    const grants = sandboxGrants({ permissions, ...session, ask });
    const context: BuiltinToolContext = { ...toolContext(directory, abortion.signal), grants };
    const result = await executeTool(tool, args, context);
    return { text: textOf(result), isError: result.isError, details: result.details };
  };
  return { asked, project, run };
}

/** A server on the loopback of this machine, at an address that programs ask the proxy for. */
function server(text: string): { readonly host: string; readonly url: string } & Disposable {
  const served = Bun.serve({ port: 0, hostname: "127.0.0.2", fetch: () => new Response(text) });
  const host = `127.0.0.2:${served.port}`;
  return { host, url: `http://${host}/`, [Symbol.dispose]: () => void served.stop(true) };
}

const accesses = (shell: Shell): readonly unknown[] =>
  shell.asked.map(({ access }) => (access.kind === "sandbox" ? access.wanted : access));

describe.skipIf(requireProgram("bwrap"))("a command that the sandbox blocked", () => {
  test("runs again with the host that the user allows, and its details say so", async () => {
    using page = server("a page");
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    const result = await shell.run(`echo run >> runs; curl -s ${page.url}`);
    expect(result).toMatchObject({ text: "a page", isError: false });
    expect(result.details).toMatchObject({ exitCode: 0, granted: [{ kind: "host", host: page.host, lasts: "once" }] });
    expect(readFileSync(join(bench.directory, "runs"), "utf8")).toBe("run\nrun\n");
    expect((await shell.run(`curl -s ${page.url}`)).text).toBe("a page");
    expect(accesses(shell)).toEqual(Array(2).fill({ kind: "host", host: page.host }));
  });

  test("is asked about a host at the beginning of a pipe that ends with 0", async () => {
    using page = server("a page");
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    const { text } = await shell.run(`curl -s ${page.url} | sed s/a/the/`);
    expect(text).toBe("the page");
    expect(accesses(shell)).toEqual([{ kind: "host", host: page.host }]);
  });

  test("is asked about one host after the other", async () => {
    using one = server("one ");
    using other = server("other");
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    const { text, details } = await shell.run(`curl -sSf ${one.url} && curl -sSf ${other.url}`);
    expect(text).toBe("one other");
    expect(accesses(shell)).toEqual([one, other].map(({ host }) => ({ kind: "host", host })));
    expect(details).toMatchObject({ granted: [{ host: one.host }, { host: other.host }] });
  });

  test("is asked about no more where the user allows it for the session", async () => {
    using page = server("a page");
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench, "session");
    await shell.run(`curl -s ${page.url}`);
    const again = await shell.run(`curl -s ${page.url}?again`);
    expect(again).toMatchObject({ text: "a page", details: { granted: [{ host: page.host, lasts: "session" }] } });
    expect(shell.asked.length).toBe(1);
  });

  test("writes where the user allows it, and nowhere else", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    const { details } = await shell.run("echo text > ../project/a.txt && mkdir ../project/b && touch ../project/b/c");
    expect(details).toMatchObject({ exitCode: 0, granted: [{ kind: "write", path: shell.project, lasts: "once" }] });
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
    expect(details).toMatchObject({ granted: [{ kind: "outside", lasts: "once" }] });
    expect(shell.asked[0]?.reason).toBe(
      `the sandbox prevented writing ${bench.directory}/agent.mdx, which defines the agent`,
    );
    expect((await shell.run("echo again > agent.mdx")).isError).toBe(false);
    expect(shell.asked.length).toBe(2);
  });

  test("is asked about ten times at most, however many hosts it names", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    const shell = shellOf(bench);
    const { isError } = await shell.run("echo >> runs; curl -s http://h$(wc -l < runs).example/ | cat; exit 6");
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
    const tool = bashTool({ environment: { PATH: process.env["PATH"] }, sandbox });
    const places = [home, join(home, "me/.ssh"), directory, join(directory, ".git")];
    const grants = {
      known: () => places.map((path) => ({ access: { kind: "write", path }, lasts: "always" }) as const),
      ask: async () => undefined,
    };
    const command =
      "touch ../opened; echo x > agent.mdx; echo x > .git/config; touch modules/x.ts; mv ../agent ../moved; mv .git git; cat ../me/.ssh/id";
    const context: BuiltinToolContext = { ...toolContext(directory), grants };
    const result = await executeTool(tool, { command }, context);
    expect(textOf(result)).not.toContain("secret");
    expect(readdirSync(home).toSorted()).toEqual(["agent", "me", "opened"]);
    expect(readFileSync(join(directory, "agent.mdx"), "utf8")).toBe("the definition");
    expect(readFileSync(join(directory, ".git/config"), "utf8")).toBe("the settings");
    expect(existsSync(join(directory, "modules/x.ts"))).toBe(false);
    expect(readFileSync(join(home, "me/.ssh/id"), "utf8")).toBe("secret");
  });
});

/** The user's home folder, and a shell whose user allows once what is asked. */
function homeOf(bench: SandboxBench, answer: ApprovalAnswer["answer"] = "once"): Shell & { readonly home: string } {
  return { ...shellOf(bench, answer), home: join(bench.home, "me") };
}

const read = (path: string, name?: string): unknown => ({ kind: "read", path, ...(name !== undefined && { name }) });

describe.skipIf(requireProgram("bwrap"))("a command that misses what the sandbox hides", () => {
  test("reads the file that the user allows, and nothing beside it", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: ".", files: { "../me/notes/a.txt": "mine\n" } });
    const shell = homeOf(bench);
    writeText(join(shell.home, "notes/b.txt"), "other");
    const { text, details } = await shell.run("cat ~/notes/a.txt && ls ~/notes");
    expect(text).toBe("mine\na.txt\n");
    expect(accesses(shell)).toEqual([read(join(shell.home, "notes/a.txt"))]);
    expect(details).toMatchObject({
      granted: [{ kind: "read", path: join(shell.home, "notes/a.txt"), lasts: "once" }],
    });
  });

  test("reads the folder that it enters, without the secrets in it", async () => {
    await using bench = openSandboxBench({
      ownHome: "me",
      cwd: ".",
      files: { "../me/project/a.txt": "mine\n", "../me/project/.env": "KEY=1", "../me/.ssh/id": "key" },
    });
    const shell = homeOf(bench);
    const { text, isError } = await shell.run("cd ~/project && cat a.txt .env && ls -A ~");
    expect(text).toStartWith(
      `mine\n.cache\n.npm\nproject\n[the sandbox hides ${shell.home}/project/.env, which looks empty: `,
    );
    expect(isError).toBe(false);
    expect(accesses(shell)).toEqual([read(join(shell.home, "project"))]);
    expect(shell.asked[0]?.pattern).toBe(`all commands to read ${shell.home}/project and all in it`);
  });

  test("reads through a link the real file alone, as long as the link leads there", async () => {
    await using bench = openSandboxBench({
      ownHome: "me",
      cwd: ".",
      files: { "../me/dotfiles/git": "[user]\nname=Me" },
    });
    const shell = homeOf(bench, "session");
    const [real, name] = [join(shell.home, "dotfiles/git"), join(shell.home, ".gitconfig")];
    writeText(join(shell.home, "dotfiles/other"), "other");
    symlinkSync("dotfiles/git", name);
    expect((await shell.run("cat ~/.gitconfig && git config --global user.name && ls ~/dotfiles")).text).toBe(
      "[user]\nname=MeMe\ngit\n",
    );
    expect(accesses(shell)).toEqual([read(real, name)]);
    expect(shell.asked[0]?.reason).toBe(`the sandbox hides ${real}, where ${name} leads`);
    // Another name of the same file needs no other answer; another file does.
    symlinkSync("dotfiles/git", join(shell.home, "again"));
    expect((await shell.run("cat ~/again")).text).toBe("[user]\nname=Me");
    unlinkSync(name);
    symlinkSync("dotfiles/other", name);
    expect(shell.asked.length).toBe(1);
    expect((await shell.run("cat ~/.gitconfig")).text).toBe("other");
    expect(accesses(shell)[1]).toEqual(read(join(shell.home, "dotfiles/other"), name));
  });

  test("may read one file of a place of secrets, which stays hidden otherwise", async () => {
    const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nkey\n";
    const files = { "../me/.ssh/id": key, "../me/.ssh/other": "other", "../me/.local/state/mdx-ai/key": "own" };
    await using bench = openSandboxBench({ ownHome: "me", cwd: ".", files });
    const shell = homeOf(bench);
    expect((await shell.run("cat ~/.ssh/id && ls ~/.ssh")).text).toBe(`${key}id\n`);
    expect(shell.asked.map(({ reason }) => reason)).toEqual([`the sandbox hides ${shell.home}/.ssh/id: a private key`]);
    expect((await shell.run("ls ~/.ssh; cat ~/.local/state/mdx-ai/key")).isError).toBe(true);
    expect(shell.asked.length).toBe(1);
  });

  test("is not asked about where nothing is there, or where it succeeds", async () => {
    await using bench = openSandboxBench({
      ownHome: "me",
      cwd: ".",
      files: { "../me/a": "mine" },
    });
    const shell = homeOf(bench);
    expect((await shell.run("cat ~/b")).text).toContain("[the sandbox has a ");
    expect((await shell.run("cat ~/a; true")).isError).toBe(false);
    expect(shell.asked).toEqual([]);
  });

  const hostile: readonly (readonly [what: string, granted: readonly { path: string; name?: string }[]])[] = [
    ["a link that has replaced it", [{ path: "me/plain" }]],
    ["a link that has replaced a folder around it", [{ path: "me/way/id" }]],
    ["a folder of secrets", [{ path: "me/.ssh" }]],
    ["the home folder, or one around it", [{ path: "me" }, { path: "." }]],
    ["the target of a name that leads elsewhere now", [{ path: "me/a.txt", name: "me/plain" }]],
  ];
  test.each(hostile)("is not shown %s", async (_, granted) => {
    const files = { "../me/.ssh/id": "the key", "../me/a.txt": "a" };
    await using bench = openSandboxBench({ ownHome: "me", files });
    const { home, directory, sandbox } = bench;
    symlinkSync(".ssh/id", join(home, "me/plain"));
    symlinkSync(".ssh", join(home, "me/way"));
    const tool = bashTool({ environment: { PATH: process.env["PATH"] }, sandbox });
    const accessOf = ({ path, name }: { path: string; name?: string }): SandboxAccess => ({
      ...{ kind: "read", path: join(home, path) },
      ...(name !== undefined && { name: join(home, name) }),
    });
    const known = granted.map((one) => ({ access: accessOf(one), lasts: "always" }) as const);
    const context = { ...toolContext(directory), grants: { known: () => known, ask: async () => undefined } };
    const command = "cd ../me; cat .ssh/id way/id plain; readlink plain; ls";
    const text = textOf(await executeTool(tool, { command }, context));
    expect(text).not.toMatch(/the key|^\.ssh|plain$/m);
  });
});
