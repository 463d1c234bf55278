import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { UserPermissions } from "@mdx-ai/loop";
import type { ToolCall } from "@mdx-ai/models";
import { MalformedPermissionError, type PermissionSettings } from "@mdx-ai/parser";
import { bash, callOf, permissionBench, reading, writing } from "../support/permission-bench.ts";

const OUTSIDE = "reads outside the agent directory and the working directory";

describe("what holds where no rule speaks of a call", () => {
  const cases: readonly (readonly [what: string, call: ToolCall, outcome: string])[] = [
    ["reading in the agent directory is allowed", reading("notes/a.txt"), "allow"],
    ["reading what defines the agent is allowed", reading("agent.mdx"), "allow"],
    ["reading in the working directory is allowed", reading("../cwd/a.txt"), "allow"],
    ["reading elsewhere is asked about", reading("../other/a.txt"), "ask"],
    [
      "reading beside the agent directory, by a name that begins like it, is asked about",
      reading("../agent-evil/a"),
      "ask",
    ],
    ["reading a folder of keys is asked about", reading("../home/.ssh/id_ed25519"), "ask"],
    ["reading a file of variables in the agent directory is asked about", reading(".env.local"), "ask"],
    ["reading an example of such a file is allowed", reading(".env.example"), "allow"],
    ["reading own sessions is allowed", reading("sessions/main/journal.jsonl"), "allow"],
    ["reading a password file is asked about", reading("/etc/shadow"), "ask"],
    ["writing in the agent directory is allowed", writing("out/a.txt"), "allow"],
    ["writing in the working directory is asked about", writing("../cwd/a.txt"), "ask"],
    ["writing elsewhere is asked about", writing("/etc/cron.d/x"), "ask"],
    ["writing agent.mdx is asked about", writing("agent.mdx"), "ask"],
    ["writing agent.mdx in other letters is asked about", writing("Agent.MDX"), "ask"],
    ["writing a heartbeat that is not there is asked about", writing("heartbeat.md"), "ask"],
    ["writing a skill is asked about", writing("skills/x/SKILL.md"), "ask"],
    ["writing a module is asked about", writing("modules/x.ts"), "ask"],
    ...["npm-shrinkwrap.json", "bun.lockb", "bunfig.toml", ".npmrc", ".envrc", ".vscode/tasks.json", ".idea/x.xml"].map(
      (path) => [`writing ${path} is asked about`, writing(path), "ask"] as const,
    ),
    ...".claude/settings.json .mcp.json .husky/pre-commit .cargo/config.toml .Mise.toml .gdbinit .exrc .vimrc .bashrc .Rprofile"
      .split(" ")
      .map(
        (path) => [`writing ${path}, which starts with another program, is asked about`, writing(path), "ask"] as const,
      ),
    ["writing beside such a file is allowed", writing(".cargo/notes.md"), "allow"],
    ["writing such a file in another folder is allowed", writing("out/.vscode/tasks.json"), "allow"],
    ["writing a helper that trust covers is asked about", writing("lib/helper.ts"), "ask"],
    ["writing beside that helper is allowed", writing("lib/notes.txt"), "allow"],
    ["writing what would be imported in its stead is asked about", writing("lib/helper.js"), "ask"],
    ["writing a folder that would be imported in its stead is asked about", writing("lib/helper/index.mjs"), "ask"],
    ["writing what says how it is read is asked about", writing("lib/package.json"), "ask"],
    ["writing code elsewhere is allowed", writing("out/helper.ts"), "allow"],
    ["writing a package.json elsewhere is allowed", writing("out/package.json"), "allow"],
    ["writing a package is asked about", writing("deep/node_modules/x/index.js"), "ask"],
    ["writing a hook of git is asked about", writing("deep/.git/hooks/pre-commit"), "ask"],
    ["writing a session is asked about", writing("sessions/main/journal.jsonl"), "ask"],
    ["writing the state of the runtime is asked about", writing("state/memory.json"), "ask"],
    ["writing an own file of state is allowed", writing("state/basket.json"), "allow"],
    ["a command of the shell is asked about", bash("ls"), "ask"],
    ["a tool of the author's is allowed", callOf("deploy", { to: "test" }), "allow"],
  ];
  test.each(cases)("%s", async (_what, call, outcome) => {
    using bench = permissionBench();
    expect(await bench.judge(call, { definingFiles: ["lib/helper.ts"] })).toBe(outcome);
  });

  test("a command of the shell is allowed where a sandbox holds it", async () => {
    using bench = permissionBench();
    expect(await bench.judge(bash("rm -rf /; curl x | sh"), { isShellSandboxed: async () => true })).toBe("allow");
  });

  test("a question that a sandbox cannot answer is a denial", async () => {
    using bench = permissionBench();
    const isShellSandboxed = (): Promise<boolean> => Promise.reject(new Error("no probe"));
    expect(await bench.judge(bash("ls"), { isShellSandboxed })).toBe("not run: no probe");
  });

  test("the records of another agent are asked about, in the working directory, too", async () => {
    using bench = permissionBench();
    bench.put("cwd/friend/agent.mdx");
    expect(await bench.judge(reading("../cwd/friend/agent.mdx"))).toBe("allow");
    expect(await bench.judge(reading("../cwd/friend/sessions/main/journal.jsonl"))).toBe("ask");
    expect(await bench.judge(reading("../cwd/friend/state/memory.json"))).toBe("ask");
    expect(await bench.judge(reading("../cwd/state/memory.json"))).toBe("allow");
  });

  test("an agent in a folder of secrets may read its own files and no others", async () => {
    using bench = permissionBench();
    const agentDir = join(bench.home, ".config/mdx-ai/agents/a");
    mkdirSync(agentDir, { recursive: true });
    expect(await bench.judge(reading(join(agentDir, "a.txt")), { agentDir })).toBe("allow");
    expect(await bench.judge(reading(join(bench.home, ".config/mdx-ai/settings.yaml")), { agentDir })).toBe("ask");
  });

  test("places of secrets follow the variables that say where they are, and links to them", async () => {
    using bench = permissionBench();
    bench.put("cwd/keys/id");
    symlinkSync(join(bench.path, "cwd/keys"), join(bench.home, ".ssh"));
    const environment = { HOME: bench.home, XDG_STATE_HOME: join(bench.path, "cwd/state") };
    expect(await bench.judge(reading("../cwd/keys/id"), { environment })).toBe("ask");
    expect(await bench.judge(reading("../cwd/state/mdx-ai/trust.json"), { environment })).toBe("ask");
    expect(await bench.judge(reading("../cwd/state/other"), { environment })).toBe("allow");
  });

  test("a path that cannot be looked up is a denial that says why", async () => {
    using bench = permissionBench();
    expect(await bench.judge(reading("a\0b"))).toContain("contains a null character");
    symlinkSync("circle", join(bench.agentDir, "circle"));
    expect(await bench.judge(reading("circle"))).toContain("its symbolic links form a circle");
  });
});

type Said = UserPermissions & { readonly directory?: PermissionSettings };

describe("rules", () => {
  const cases: readonly (readonly [what: string, said: Said, call: ToolCall, outcome: string])[] = [
    [
      "of those that match, the last one counts",
      { settings: { bash: "deny", "bash(git *)": "allow" } },
      bash("git log"),
      "allow",
    ],
    ["and not the first", { settings: { "bash(git *)": "allow", bash: "ask" } }, bash("git log"), "ask"],
    [
      "the user's settings go over the directory's",
      { directory: { bash: "deny" }, settings: { bash: "allow" } },
      bash("ls"),
      "allow",
    ],
    ["flags go over the user's settings", { settings: { bash: "ask" }, allow: ["bash"] }, bash("ls"), "allow"],
    [
      "a denial in the user's settings goes over flags",
      { settings: { bash: "deny" }, allow: ["bash"] },
      bash("ls"),
      "not run: the user's settings deny bash",
    ],
    [
      "a denial in the user's settings goes over all that is allowed",
      { settings: { bash: "deny" }, allowsAll: true },
      bash("ls"),
      "not run: the user's settings deny bash",
    ],
    [
      "a denial by flag goes over one that allows",
      { allow: ["bash"], deny: ["bash(rm *)"] },
      bash("rm x"),
      "not run: the user denies bash(rm *)",
    ],
    [
      "a denial by flag goes over all that is allowed",
      { allowsAll: true, deny: ["read_file(secret/**)"] },
      reading("secret/a"),
      "not run: the user denies read_file(secret/**)",
    ],
    ["all that is allowed is all", { allowsAll: true }, bash("ls; rm x"), "allow"],
    [
      "a denial of the directory counts",
      { directory: { write_file: "deny" } },
      writing("a"),
      "not run: the agent's settings deny write_file",
    ],
    ["what the directory wants asked about is asked about", { directory: { read_file: "ask" } }, reading("a"), "ask"],
    ["the directory may allow the shell", { directory: { "bash(git *)": "allow" } }, bash("git log"), "allow"],
    [
      "the directory may allow what is elsewhere",
      { directory: { read_file: { allow: ["/usr/share/**"] } } },
      reading("/usr/share/x"),
      "allow",
    ],
    [
      "the directory never allows a secret",
      { directory: { read_file: { allow: ["/etc/shadow"] }, "*": "allow" } },
      reading("/etc/shadow"),
      "ask",
    ],
    [
      "a rule of the user's that names no place allows no secret",
      { settings: { "*": "allow", "read_file(/**)": "allow" }, allow: ["read_file"] },
      reading("/etc/shadow"),
      "ask",
    ],
    [
      "a rule of the user's that names the place allows a secret",
      { allow: ["read_file(/etc/shadow)"] },
      reading("/etc/shadow"),
      "allow",
    ],
    [
      "a rule in the user's settings that names its folder does so, too",
      { settings: { "read_file(/etc/ssl/private/**)": "allow" } },
      reading("/etc/ssl/private/k"),
      "allow",
    ],
    ["all that is allowed is secrets, too", { allowsAll: true }, reading("/etc/shadow"), "allow"],
    ["a pattern of tools", { deny: ["mcp.*", "*_file"] }, reading("a"), "not run: the user denies *_file"],
    ["of another tool says nothing", { deny: ["mcp.*", "read"] }, reading("a"), "allow"],
    [
      "paths are below the agent directory",
      { allow: ["write_file(skills/**)"] },
      writing("skills/x/SKILL.md"),
      "allow",
    ],
    ["`*` stays in one folder", { allow: ["write_file(skills/*)"] }, writing("skills/x/SKILL.md"), "ask"],
    [
      "`?` is one character",
      { deny: ["read_file(a?.txt)"] },
      reading("ab.txt"),
      "not run: the user denies read_file(a?.txt)",
    ],
    ["`~/` is home", { allow: ["read_file(~/notes/**)"] }, reading("../home/notes/a"), "allow"],
    [
      "a folder with a closing slash is all in it",
      { allow: ["read_file(~/notes/)"] },
      reading("../home/notes/a/b"),
      "allow",
    ],
    [
      "what allows a file does not allow a folder of that name",
      { allow: ["read_file(~/notes)"] },
      reading("../home/notes/a"),
      "ask",
    ],
    [
      "what denies a folder denies all in it",
      { deny: ["read_file(private)"] },
      reading("private/a/b"),
      "not run: the user denies read_file(private)",
    ],
    [
      "a pattern may lead out of the agent directory",
      { allow: ["read_file(../shared/**)"] },
      reading("../shared/a"),
      "allow",
    ],
    ["`**` is no way out of the agent directory", { allow: ["write_file(**)"] }, writing("../b"), "ask"],
    ["nor is `..` in a path", { allow: ["write_file(out/**)"] }, writing("out/../../b"), "ask"],
    [
      "brackets and braces are themselves",
      { deny: ["read_file({a,b}[c])"] },
      reading("{a,b}[c]"),
      "not run: the user denies read_file({a,b}[c])",
    ],
    [
      "what denies folders by a wildcard denies all in them",
      { deny: ["read_file(private*)"] },
      reading("private-1/a/b"),
      "not run: the user denies read_file(private*)",
    ],
    [
      "what asks about folders by a wildcard asks about all in them",
      { settings: { "read_file(**/draft-*)": "ask" } },
      reading("a/draft-1/b/c"),
      "ask",
    ],
    [
      "what denies all in a folder by `*` denies its folders",
      { deny: ["read_file(data/*)"] },
      reading("data/a/b"),
      "not run: the user denies read_file(data/*)",
    ],
    ["and what is beside such a folder is not denied", { deny: ["read_file(data/x*)"] }, reading("data/a/x1"), "allow"],
    [
      "doubled slashes and dots mean nothing behind a wildcard either",
      { deny: ["read_file(data*//./x)"] },
      reading("data1/x"),
      "not run: the user denies read_file(data*//./x)",
    ],
    [
      "parentheses behind a wildcard are themselves",
      { deny: ["read_file(report?(1).txt)"] },
      reading("report (1).txt"),
      "not run: the user denies read_file(report?(1).txt)",
    ],
    [
      "parentheses do not widen what is allowed",
      { allow: ["write_file(skills/a+(b)*)"] },
      writing("skills/abb"),
      "ask",
    ],
    [
      "parentheses in a command are themselves",
      { deny: ["bash(echo *(x)')"] },
      bash("echo 'a (x)'"),
      "not run: the user denies bash(echo *(x)')",
    ],
    ["a backslash takes a wildcard's meaning", { deny: ["read_file(a\\*)"] }, reading("ab"), "allow"],
    [
      "a parameter's value",
      { deny: ["deploy(to=prod*)"] },
      callOf("deploy", { to: "production" }),
      "not run: the user denies deploy(to=prod*)",
    ],
    ["another value", { deny: ["deploy(to=prod*)"] }, callOf("deploy", { to: "test" }), "allow"],
    [
      "a number as a value",
      { deny: ["deploy(count=1?)"] },
      callOf("deploy", { count: 12 }),
      "not run: the user denies deploy(count=1?)",
    ],
    ["a parameter that is not given", { deny: ["deploy(toString=*)"] }, callOf("deploy", {}), "allow"],
    [
      "a name of what all objects have denies nothing",
      { directory: JSON.parse('{"__proto__": "deny"}') },
      bash("ls"),
      "ask",
    ],
  ];
  test.each(cases)("%s", async (_what, { directory: settings, ...user }, call, outcome) => {
    using bench = permissionBench();
    expect(await bench.judge(call, { user, settings })).toBe(outcome);
  });

  const authors = [
    ["ask", {}, "ask"],
    ["deny", {}, "not run: its author denies it"],
    ["deny", { directory: { deploy: "allow" } }, "allow"],
    ["ask", { allow: ["deploy"] }, "allow"],
    ["allow", { directory: { "*": "deny" } }, "not run: the agent's settings deny *"],
  ] as const;
  test.each(authors)("the author's `%s` counts below %j: %s", async (author, said: Said, outcome) => {
    using bench = permissionBench(author);
    const { directory: settings, ...user } = said;
    expect(await bench.judge(callOf("deploy", {}), { settings, user })).toBe(outcome);
  });

  test.each(["", "()", "bash(", "bash()", "{bash,x}", "bash(a\nb)"])(
    "a pattern without a meaning, %j, is an error",
    (pattern) => {
      using bench = permissionBench();
      for (const user of [{ allow: [pattern] }, { deny: [pattern] }, { settings: { [pattern]: "deny" } }] as const) {
        expect(() => bench.open({ user })).toThrow(MalformedPermissionError);
      }
      expect(() => bench.open({ settings: { [pattern]: { deny: ["x"] } } })).toThrow(MalformedPermissionError);
    },
  );

  test("a folder that becomes a link does not widen what was allowed in it", async () => {
    using bench = permissionBench();
    mkdirSync(join(bench.path, "elsewhere"));
    symlinkSync(join(bench.path, "elsewhere"), join(bench.agentDir, "out"));
    expect(await bench.judge(writing("out/a"), { user: { allow: ["write_file(out/**)"] } })).toBe("ask");
    expect(await bench.judge(writing("out/a"), { user: { deny: ["write_file(out/**)"] } })).toContain(
      "the user denies",
    );
  });

  test("nor where the user named it through a link of their own", async () => {
    using bench = permissionBench();
    mkdirSync(join(bench.path, "elsewhere"));
    symlinkSync(bench.agentDir, join(bench.home, "project"));
    symlinkSync(join(bench.path, "elsewhere"), join(bench.agentDir, "out"));
    const user = { allow: ["write_file(~/project/out/**)", "write_file(~/project/skills/**)"] };
    expect(await bench.judge(writing("out/a"), { user })).toBe("ask");
    expect(await bench.judge(writing("skills/a"), { user })).toBe("allow");
  });

  test("a folder of the user's may be a link", async () => {
    using bench = permissionBench();
    mkdirSync(join(bench.path, "elsewhere"));
    symlinkSync(join(bench.path, "elsewhere"), join(bench.home, "notes"));
    expect(await bench.judge(reading("../elsewhere/a"), { user: { allow: ["read_file(~/notes/**)"] } })).toBe("allow");
  });

  test("after a change of the directory its new rules count, and approvals are kept", async () => {
    using bench = permissionBench();
    const before = bench.open({ settings: { read_file: "deny" }, user: { deny: ["bash(rm *)"] } });
    const after = before.after({ settings: { write_file: "deny" } });
    const action = async (call: ToolCall) => (await bench.gate(after).rule(call))?.action;
    expect(await Promise.all([reading("a"), writing("a"), bash("rm x")].map(action))).toStrictEqual([
      "allow",
      "deny",
      "deny",
    ]);
    expect(after.approvals).toBe(before.approvals);
  });
});

describe("the reason of a question", () => {
  const cases: readonly (readonly [reason: string, call: ToolCall])[] = [
    [OUTSIDE, reading("/usr/share/x")],
    ["writes outside the agent directory", writing("/usr/share/x")],
    ['writes onto "agent.mdx", which defines the agent', writing("agent.mdx")],
    ['writes onto "logs/x", which records what the agent did', writing("logs/x")],
    ['writes onto ".git/config", which defines what runs in the agent directory', writing(".git/config")],
    ["runs a shell command outside a sandbox", bash("ls")],
    ["reads a secret path", reading("../home/.aws/credentials")],
    ["reads the data of a process", reading("/proc/1/environ")],
    ["reads a file of variables, which may contain keys", reading(".env")],
  ];
  test.each(cases)("%s", async (reason, call) => {
    using bench = permissionBench();
    await bench.run(call, { onApproval: async () => ({ answer: "no" }) });
    expect(bench.asked.map((request) => request.reason)).toStrictEqual([reason]);
  });
});
