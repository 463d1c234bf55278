import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { AgentTool, UserPermissions } from "@mdx-ai/loop";
import type { ToolCall } from "@mdx-ai/models";
import type { PermissionSettings } from "@mdx-ai/parser";
import type { AgentOptions } from "@mdx-ai/runtime";
import { agentDirectory } from "../support/agent-directory.ts";
import { moduleText } from "../support/module-bench.ts";
import { bash, callOf, permissionBench } from "../support/permission-bench.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { textOf } from "../support/tool-context.ts";

/** A module with a tool `note` that writes "written" to a file and declares that. */
const NOTE = moduleText(`tools: () => [{
  name: "note",
  description: "Writes a note",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  access: async ({ path }) => {
    if (path === "") throw new Error("a note needs a path");
    return { kind: "write", path };
  },
  execute: async ({ path }, { agentDir, access }) => {
    await Bun.write(agentDir + "/" + path, "written");
    return JSON.stringify(access);
  },
}]`);

/** Runs one prompt in which the model calls `note`; returns what the model received. */
async function noteResult(directory: string, path: string, options: Partial<AgentOptions> = {}): Promise<string> {
  const call = { calls: [{ id: "a", name: "note", arguments: { path } }] };
  const agent = await openScriptAgent(directory, [call, { text: "done" }], options);
  await Array.fromAsync(agent.session().prompt("note it"));
  const messages = await agent.session().messages();
  await agent.close();
  return messages.map((message) => (message.role === "toolResult" ? textOf(message) : "")).join("");
}

test("a module's tool that declares a write runs, and gets the access that was permitted", async () => {
  using directory = agentDirectory({ "modules/note.ts": NOTE });
  expect(await noteResult(directory.path, "a.txt")).toBe(
    JSON.stringify({ kind: "write", path: join(realpathSync(directory.path), "a.txt") }),
  );
  expect(readFileSync(join(directory.path, "a.txt"), "utf8")).toBe("written");
});

test("a module's tool that declares a write to a file that defines the agent is not run unasked", async () => {
  using directory = agentDirectory({ "modules/note.ts": NOTE });
  expect(await noteResult(directory.path, "heartbeat.md")).toContain(
    'not run: writes onto "heartbeat.md", which defines the agent, and no user can be asked',
  );
  expect(existsSync(join(directory.path, "heartbeat.md"))).toBe(false);
});

test("a module's tool that declares a host is held to the rules about it, in the mode all as well", async () => {
  const reaching = NOTE.replace('{ kind: "write", path }', '{ kind: "host", host: path }');
  using directory = agentDirectory({ "modules/note.ts": reaching });
  const rules = { settings: { "note(*.example)": "ask" as const } };
  for (const mode of ["edits", "all"] as const) {
    const permissions = { ...rules, mode };
    expect(await noteResult(directory.path, "a.org", { permissions })).toEndWith('{"kind":"host","host":"a.org"}');
    expect(await noteResult(directory.path, "a.example", { permissions })).toEndWith(
      "not run: the user's settings ask about note(*.example), and no user can be asked; allow it with --allow 'note(a.example)'",
    );
  }
});

test("a module's tool that declares a write is held to what the user denies to write_file", async () => {
  using directory = agentDirectory({ "modules/note.ts": NOTE });
  const permissions = { deny: ["write_file(private/**)"], allowsAll: true };
  expect(await noteResult(directory.path, "private/a.txt", { permissions })).toContain(
    "not run: the user denies write_file(private/**)",
  );
  expect(existsSync(join(directory.path, "private"))).toBe(false);
});

test("a module's tool whose access cannot be found out gives the model its error, and the prompt continues", async () => {
  using directory = agentDirectory({ "modules/note.ts": NOTE });
  expect(await noteResult(directory.path, "")).toContain("not run: a note needs a path");
});

test("an access that prompts the agent, which would wait for itself, gives the model an error", async () => {
  const text = NOTE.replace('if (path === "")', 'await context.prompt("again"); if (path === "")').replace(
    "export default { ...whole,",
    "let context; export default { ...whole, initialize: async (own) => { context = own; },",
  );
  using directory = agentDirectory({ "modules/note.ts": text });
  expect(await noteResult(directory.path, "a.txt")).toContain("not run: ctx.prompt() cannot be awaited");
  expect(existsSync(join(directory.path, "a.txt"))).toBe(false);
});

test("a person's own call of a module's tool is held to the user's denials of its access", async () => {
  using directory = agentDirectory({ "modules/note.ts": NOTE });
  const permissions = { deny: ["write_file(private/**)"] };
  const agent = await openScriptAgent(directory.path, [], { permissions });
  const tool = agent.tools.find(({ name }) => name === "note");
  const context = {
    ...{ agentDir: directory.path, cwd: directory.path, sessionId: "none", callId: "a" },
    signal: new AbortController().signal,
    log: async () => {},
    update: () => {},
  };
  await expect(tool?.execute({ path: "private/a.txt" }, context)).rejects.toThrow(
    "the user denies write_file(private/**)",
  );
  await agent.close();
});

const load = (path: string): ToolCall => callOf("load_note", { path });
const save = (path: string): ToolCall => callOf("save_note", { path });
const make = (command: string, target = "all"): ToolCall => callOf("make", { command, target });

describe("without a rule, a module's tool is judged by the access that it declares", () => {
  const cases: readonly (readonly [what: string, call: ToolCall, outcome: string])[] = [
    ["reading in the agent directory is allowed", load("notes/a.txt"), "allow"],
    ["reading elsewhere is asked about", load("../other/a.txt"), "ask"],
    ["reading a place of secrets is asked about", load("../home/.ssh/id_ed25519"), "ask"],
    ["reading a file of variables is asked about", load(".env"), "ask"],
    ["writing in the agent directory is allowed", save("out/a.txt"), "allow"],
    ["writing elsewhere is asked about", save("../cwd/a.txt"), "ask"],
    ["writing what defines the agent is asked about", save("modules/x.ts"), "ask"],
    ["writing what records it is asked about", save("sessions/main/journal.jsonl"), "ask"],
    ["a command is asked about", make("ls"), "ask"],
  ];
  test.each(cases)("%s", async (_what, call, outcome) => {
    using bench = permissionBench();
    expect(await bench.judge(call)).toBe(outcome);
  });

  test("its command is asked about although a sandbox contains the shell: it runs in the program itself", async () => {
    using bench = permissionBench();
    const isShellSandboxed = async ({ name }: { readonly name: string }): Promise<boolean> => name === "bash";
    expect(await bench.judge(bash("ls"), { isShellSandboxed })).toBe("allow");
    expect(await bench.judge(make("ls"), { isShellSandboxed })).toBe("ask");
  });
});

type Rules = UserPermissions & { readonly directory?: PermissionSettings; readonly author?: AgentTool["permission"] };

describe("rules for bash, read_file and write_file hold for each tool that declares such an access", () => {
  const cases: readonly (readonly [what: string, rules: Rules, call: ToolCall, outcome: string])[] = [
    [
      "a denied path by flag",
      { deny: ["write_file(out/**)"] },
      save("out/a"),
      "not run: the user denies write_file(out/**)",
    ],
    [
      "and over --allow-all",
      { deny: ["read_file(a)"], allowsAll: true },
      load("a"),
      "not run: the user denies read_file(a)",
    ],
    [
      "and over --allow of the tool",
      { deny: ["bash(rm *)"], allow: ["make"] },
      make("rm x"),
      "not run: the user denies bash(rm *)",
    ],
    [
      "a command that is hidden a little",
      { deny: ["bash(rm *)"], allow: ["make"] },
      make("a $(rm x)"),
      "not run: the user denies bash(rm *)",
    ],
    ["a denial of all commands", { deny: ["bash"], allow: ["make"] }, make("ls"), "not run: the user denies bash"],
    [
      "a denial in the user's settings",
      { settings: { "write_file(out/**)": "deny" } },
      save("out/a"),
      "not run: the user's settings deny write_file(out/**)",
    ],
    [
      "also before a rule that allows the tool",
      { settings: { "bash(rm *)": "deny", make: "allow" } },
      make("rm x"),
      "not run: the user's settings deny bash(rm *)",
    ],
    [
      "a denial of the directory",
      { directory: { read_file: { deny: ["private"] } } },
      load("private/a"),
      "not run: the agent's settings deny read_file(private)",
    ],
    ["what is to be asked about", { settings: { "write_file(out/**)": "ask" } }, save("out/a"), "ask"],
    ["of several rules the last", { settings: { bash: "deny", "bash(git *)": "allow" } }, make("git log"), "allow"],
    ["a path that is allowed", { allow: ["write_file(../cwd/**)"] }, save("../cwd/a"), "allow"],
    ["a command that is allowed", { directory: { "bash(git *)": "allow" } }, make("git log"), "allow"],
    ["and no other command", { directory: { "bash(git *)": "allow" } }, make("git log; rm x"), "ask"],
    ["a place of secrets that the user names", { allow: ["read_file(/etc/shadow)"] }, load("/etc/shadow"), "allow"],
    [
      "a place of secrets that the directory names",
      { directory: { read_file: { allow: ["/etc/shadow"] } } },
      load("/etc/shadow"),
      "ask",
    ],
    ["not those for another access", { deny: ["write_file", "bash"] }, load("a"), "allow"],
    ["not those for parameters", { deny: ["write_file(path=*)"] }, save("a"), "allow"],
    ["not where the access is not known", { deny: ["bash", "read_file", "write_file"] }, callOf("deploy", {}), "allow"],
  ];
  test.each(cases)("%s", async (_what, { directory: settings, author, ...user }, call, outcome) => {
    using bench = permissionBench(author);
    expect(await bench.judge(call, { user, settings })).toBe(outcome);
  });
});

describe("rules that name a module's tool", () => {
  const cases: readonly (readonly [what: string, rules: Rules, call: ToolCall, outcome: string])[] = [
    ["allow its command", { allow: ["make"] }, make("ls"), "allow"],
    ["allow one command", { allow: ["make(git *)"] }, make("git log"), "allow"],
    ["and no other", { allow: ["make(git *)"] }, make("ls"), "ask"],
    ["allow a path", { allow: ["save_note(../cwd/**)"] }, save("../cwd/a"), "allow"],
    ["deny a path", { deny: ["load_note(private)"] }, load("private/a"), "not run: the user denies load_note(private)"],
    [
      "deny a parameter, whatever access is declared",
      { deny: ["make(target=prod*)"], allowsAll: true },
      make("ls", "production"),
      "not run: the user denies make(target=prod*)",
    ],
    ["allow a parameter", { allow: ["make(target=test)"] }, make("ls", "test"), "allow"],
    ["go over what the settings ask of an access", { settings: { bash: "ask" }, allow: ["make"] }, make("ls"), "allow"],
    ["are the last of their map", { settings: { bash: "ask", make: "allow" } }, make("ls"), "allow"],
    ["or not", { settings: { make: "allow", bash: "ask" } }, make("ls"), "ask"],
    [
      "of the directory count below those of the user for the access",
      { directory: { make: "allow" }, settings: { bash: "ask" } },
      make("ls"),
      "ask",
    ],
    ["ask, though the access is allowed", { settings: { make: "ask", bash: "allow" } }, make("ls"), "ask"],
    [
      "deny, though the access is allowed",
      { directory: { make: "deny" }, allow: ["bash"] },
      make("ls"),
      "not run: the agent's settings deny make",
    ],
    ["do not let a secret through", { allow: ["load_note"] }, load("/etc/shadow"), "ask"],
    ["let a secret through that they name", { allow: ["load_note(/etc/shadow)"] }, load("/etc/shadow"), "allow"],
    [
      "are not lifted for its author's ask by a rule for the access",
      { author: "ask", allow: ["bash"] },
      make("ls"),
      "ask",
    ],
    ["lift its author's ask", { author: "ask", allow: ["make"] }, make("ls"), "allow"],
    ["count below --allow-all", { author: "deny", allowsAll: true }, make("ls"), "allow"],
  ];
  test.each(cases)("%s", async (_what, { directory: settings, author, ...user }, call, outcome) => {
    using bench = permissionBench(author);
    expect(await bench.judge(call, { user, settings })).toBe(outcome);
  });
});

test("what is approved for a module's tool is its own pattern, and lets the same access through", async () => {
  using bench = permissionBench();
  const permissions = bench.open({ onApproval: async () => ({ answer: "session" }) });
  const gate = bench.gate(permissions);
  await gate.ask(make("ls *", "all"), new AbortController().signal);
  expect(bench.asked.map(({ pattern, access }) => [pattern, access])).toStrictEqual([
    ["make(ls \\*)", { kind: "command", command: "ls *" }],
  ]);
  expect(await gate.rule(make("ls *", "other"))).toStrictEqual({ action: "allow" });
  expect(await gate.rule(bash("ls *"))).toBeUndefined();
});
