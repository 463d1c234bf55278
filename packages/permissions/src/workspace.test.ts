import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import type { ToolCall } from "@mdx-ai/models";
import type { PermissionMode } from "@mdx-ai/parser";
import {
  answering,
  bash,
  callOf,
  type PermissionBench,
  permissionBench,
  reading,
  writing,
} from "../../../test/support/permission-bench.ts";
import type { PermissionsOptions } from "./permissions.ts";

/** A bench whose tools work in `work`, beside the agent directory. */
function workspaceBench(author?: "ask"): PermissionBench & { readonly workspace: string } {
  const bench = permissionBench(author);
  const workspace = join(bench.path, "work");
  mkdirSync(workspace);
  return { ...bench, workspace };
}

/** The name that a model calls a tool by. */
const wireName = (name: string): string => name.replace(".", "_");

const held = async (): Promise<boolean> => true;

describe("without a rule, in a workspace", () => {
  const cases: readonly (readonly [call: ToolCall, ...outcomes: readonly (readonly [PermissionMode, string])[]])[] = [
    [reading("../work/a.txt"), ["ask", "allow"], ["edits", "allow"], ["plan", "allow"], ["all", "allow"]],
    [reading("../other/a.txt"), ["edits", "ask"], ["plan", "ask"], ["all", "ask"]],
    [reading("../work/.env"), ["edits", "ask"], ["all", "ask"]],
    [writing("../work/a.txt"), ["ask", "ask"], ["edits", "allow"], ["plan", "deny"], ["all", "allow"]],
    [writing("../work/.env"), ["ask", "ask"], ["edits", "ask"], ["plan", "deny"], ["all", "ask"]],
    [writing("../work/.git/hooks/pre-commit"), ["ask", "ask"], ["edits", "ask"], ["plan", "deny"], ["all", "ask"]],
    [writing("../work/deep/.vscode/tasks.json"), ["edits", "ask"], ["all", "ask"]],
    [writing("../other/a.txt"), ["edits", "ask"], ["plan", "deny"], ["all", "ask"]],
    [writing("out/a.txt"), ["ask", "allow"], ["edits", "allow"], ["plan", "deny"], ["all", "allow"]],
    [writing("agent.mdx"), ["ask", "ask"], ["edits", "ask"], ["plan", "deny"], ["all", "ask"]],
    [bash("npm test"), ["ask", "allow"], ["edits", "allow"], ["plan", "deny"], ["all", "allow"]],
    [callOf("deploy", {}), ["ask", "allow"], ["plan", "deny"], ["all", "allow"]],
  ];
  for (const [call, ...outcomes] of cases) {
    const what = String(call.arguments["path"] ?? call.arguments["command"] ?? "");
    test.each(outcomes)(`${call.name} ${what} in the mode %s: %s`, async (mode, outcome) => {
      using bench = workspaceBench();
      const { workspace } = bench;
      const said = await bench.judge(call, { workspace, user: { mode }, isShellSandboxed: held });
      expect(said.startsWith("not run: plan mode") ? "deny" : said).toBe(outcome);
    });
  }

  const NAMED: Readonly<Record<string, string>> = {
    "work/.git/config": `[core]
  hooksPath = tools/hooks
[include]
  path = ../shared.gitconfig
[credential]
  helper = "!tools/login.sh get; echo 1 # 2"
[filter "a]b"] clean = 'tools/clean.sh' %f
[Pager] # of each command
  log = tools/page.sh
  # tools/free.sh = x
`,
    "work/.git/HEAD": "",
    "work/shared.gitconfig": "[core]\r\n\tfsmonitor = tools/watch.sh\r\n\tsshCommand = \\\n    tools/connect.sh\n",
    "work/.envrc": '# tools/free.sh\nsource_env tools/later.sh\nuse flake\neval "$(tools/print.sh)"\n',
    ...Object.fromEntries(
      ["clean", "connect", "free", "login", "page", "print", "watch"].map((name) => [`work/tools/${name}.sh`, ""]),
    ),
  };

  test.each([
    ["tools/hooks/pre-commit", "git"],
    ["shared.gitconfig", "git"],
    ["tools/clean.sh", undefined],
    ["tools/hooks.md", undefined],
    ["shell.nix", undefined],
  ])("%s, as settings of the workspace name it, is run by: %s", async (path, runner) => {
    using bench = workspaceBench();
    for (const [name, text] of Object.entries(NAMED)) bench.put(name, text);
    const options = { workspace: bench.workspace, user: { mode: "edits" } as const, onApproval: answering("no") };
    const call = writing(`../work/${path}`);
    expect(await bench.judge(call, options)).toBe(runner === undefined ? "allow" : "ask");
    if (runner === undefined) return;
    await bench.run(call, options);
    expect(bench.asked[0]?.reason).toContain(runner === "git" ? "git runs on its own" : "a shell starts or enters");
  });

  test("a workspace that holds the home folder is asked about in every mode", async () => {
    using bench = workspaceBench();
    const decide = (mode: PermissionMode): Promise<string> =>
      bench.judge(writing("../other/a.txt"), { workspace: bench.path, user: { mode } });
    expect(await Promise.all([decide("ask"), decide("edits"), decide("all")])).toEqual(["ask", "ask", "ask"]);
  });

  test("a command outside a sandbox is asked about in every mode but plan", async () => {
    using bench = workspaceBench();
    const decide = (mode: PermissionMode): Promise<string> =>
      bench.judge(bash("ls"), { workspace: bench.workspace, user: { mode } });
    expect(await Promise.all([decide("edits"), decide("all")])).toEqual(["ask", "ask"]);
  });
});

describe("the mode", () => {
  const write = writing("../work/a.txt");

  test("is ask if there is someone to ask, and edits otherwise", async () => {
    using bench = workspaceBench();
    const { workspace } = bench;
    expect(bench.open({ workspace, onApproval: answering("no") }).mode).toBe("ask");
    expect(bench.open({ workspace }).mode).toBe("edits");
  });

  test.each<
    [flag: PermissionMode | undefined, usual: PermissionMode | undefined, ofDirectory: PermissionMode, PermissionMode]
  >([
    [undefined, undefined, "ask", "ask"],
    [undefined, "all", "plan", "plan"],
    [undefined, "plan", "ask", "plan"],
    ["edits", "plan", "plan", "edits"],
  ])("by the flag %s, the settings %s and the directory %s is %s", (flag, usual, ofDirectory, expected) => {
    using bench = workspaceBench();
    const user = { ...(flag && { mode: flag }), ...(usual && { usualMode: usual }) };
    expect(bench.open({ user, mode: ofDirectory }).mode).toBe(expected);
  });

  test("can be changed while calls are decided, and stays when the directory changes", async () => {
    using bench = workspaceBench();
    const permissions = bench.open({ workspace: bench.workspace, user: { mode: "ask" } });
    const gate = bench.gate(permissions);
    expect(await gate.rule(write)).toBeUndefined();
    permissions.chooseMode("edits");
    expect(await gate.rule(write)).toEqual({ action: "allow" });
    permissions.chooseMode("plan");
    expect(await gate.rule(write)).toMatchObject({ action: "deny", reason: expect.stringContaining("plan mode") });
    expect(permissions.after({ mode: "ask" }).mode).toBe("plan");
  });

  test("all asks about nothing within, even if a rule asks; denials stay denied", async () => {
    using bench = workspaceBench("ask");
    const { workspace } = bench;
    const settings = { write_file: "ask", bash: "ask", "bash(rm *)": "deny" } as const;
    const options = { workspace, user: { mode: "all", settings } as const, isShellSandboxed: held };
    expect(await bench.judge(write, options)).toBe("allow");
    expect(await bench.judge(bash("ls"), options)).toBe("allow");
    expect(await bench.judge(bash("rm x"), options)).toStartWith("not run: the user's settings deny");
    expect(await bench.judge(callOf("deploy", {}), options)).toBe("ask");
  });

  test("plan denies what a rule or an earlier answer allows", async () => {
    using bench = workspaceBench();
    const { workspace } = bench;
    const permissions = bench.open({ workspace, user: { mode: "ask" }, onApproval: answering("always") });
    const gate = bench.gate(permissions);
    expect(await gate.ask(write, new AbortController().signal)).toMatchObject({ action: "allow" });
    permissions.chooseMode("plan");
    expect(await gate.rule(write)).toMatchObject({ action: "deny" });
    const user = { mode: "plan", allow: ["write_file"] } as const;
    expect(await bench.judge(write, { workspace, user })).toStartWith("not run: plan mode");
  });
});

describe("what is denied to write_file", () => {
  const denials = {
    "a flag": (rule: string) => ({ user: { mode: "edits", deny: [rule] } }),
    "the user's settings": (rule: string) => ({ user: { mode: "edits", settings: { [rule]: "deny" } } }),
    "the directory": (rule: string) => ({ user: { mode: "edits" }, settings: { [rule]: "deny" } }),
  } as const satisfies Record<string, (rule: string) => Partial<PermissionsOptions>>;
  const calls: readonly (readonly [name: string, args: JsonObject])[] = [
    ["edit_file", { edits: [{ old: "a", new: "b" }] }],
    ["fs.write", { content: "b" }],
  ];
  for (const [who, options] of Object.entries(denials)) {
    test.each(calls)(`by ${who} is denied to %s, too`, async (name, args) => {
      using bench = workspaceBench();
      const { workspace } = bench;
      const decide = (path: string, rule: string): Promise<string> =>
        bench.judge(callOf(wireName(name), { path, ...args }), { workspace, ...options(rule) });
      expect(await decide("../work/x/a.ts", "write_file")).toMatch(/^not run: .*den(?:y|ies) write_file$/);
      expect(await decide("../work/x/a.ts", "write_file(x/**)")).toMatch(/^not run: .*den(?:y|ies) write_file\(x/);
      expect(await decide("x/a.ts", "write_file(x/**)")).toMatch(/^not run: .*den(?:y|ies) write_file\(x/);
      expect(await decide("../work/y/a.ts", "write_file(x/**)")).toBe("allow");
    });
  }
});

describe("plan mode", () => {
  const path = "../work/a.txt";
  test.each<[name: string, args: JsonObject, outcome: "allow" | "deny"]>([
    ["edit_file", { path, edits: [{ old: "a", new: "b" }] }, "deny"],
    ["write_file", { path, content: "" }, "deny"],
    ["fs.write", { path, content: "" }, "deny"],
    ["bash", { command: "ls" }, "deny"],
    ["shell.exec", { cmd: "ls" }, "deny"],
    ["read_file", { path }, "allow"],
    ["grep", { pattern: "a", path: "../work" }, "allow"],
    ["glob", { pattern: "*", path: "../work" }, "allow"],
    ["list_files", { path: "../work" }, "allow"],
    ["fs.list", { path: "../work" }, "allow"],
    ["fs.read", { path }, "allow"],
  ])("%s %j: %s", async (name, args, outcome) => {
    using bench = workspaceBench();
    const { workspace } = bench;
    const said = await bench.judge(callOf(wireName(name), args), {
      workspace,
      user: { mode: "plan" },
      isShellSandboxed: held,
    });
    expect(said.startsWith("not run: plan mode") ? "deny" : said).toBe(outcome);
  });
});

describe("patterns with relative paths, in a workspace", () => {
  test.each<[pattern: string, path: string, outcome: string]>([
    ["write_file(src/**)", "../work/src/a.ts", "allow"],
    ["write_file(src/**)", "../work/a.ts", "ask"],
    ["write_file(agent.mdx)", "agent.mdx", "ask"],
    ["write_file(**)", "../work/.envrc", "ask"],
    ["write_file(.envrc)", "../work/.envrc", "allow"],
    ["write_file(.vscode/**)", "../work/.vscode/tasks.json", "allow"],
  ])("--allow %s: writing %s is %s", async (pattern, path, outcome) => {
    using bench = workspaceBench();
    const user = { mode: "ask", allow: [pattern] } as const;
    expect(await bench.judge(writing(path), { workspace: bench.workspace, user })).toBe(outcome);
  });

  test.each(["../work/final/a", "final/a"])(
    "what denies a path denies it there and in the agent directory: %s",
    async (path) => {
      using bench = workspaceBench();
      const user = { mode: "edits", deny: ["write_file(final/**)"] } as const;
      expect(await bench.judge(writing(path), { workspace: bench.workspace, user })).toStartWith(
        "not run: the user denies",
      );
    },
  );

  test("a directory lifts no question about a file that runs code", async () => {
    using bench = workspaceBench();
    const settings = { "write_file(.envrc)": "allow", "write_file(src/**)": "allow" } as const;
    const options = { workspace: bench.workspace, settings, user: { mode: "ask" } } as const;
    expect(await bench.judge(writing("../work/.envrc"), options)).toBe("ask");
    expect(await bench.judge(writing("../work/src/a.ts"), options)).toBe("allow");
  });

  test("an agent in the workspace stays protected, and its own files stay its own", async () => {
    using bench = permissionBench();
    const workspace = join(bench.path, "agent/..");
    const options = {
      workspace,
      environment: { HOME: "/nowhere" },
      user: { mode: "ask", allow: ["write_file(**)"] },
    } as const;
    expect(await bench.judge(writing("agent.mdx"), options)).toBe("ask");
    expect(await bench.judge(writing("skills/x/SKILL.md"), options)).toBe("ask");
    expect(await bench.judge(writing("out/a"), { ...options, user: { mode: "ask" } })).toBe("allow");
    const named = { mode: "ask", allow: ["write_file(agent/agent.mdx)"] } as const;
    expect(await bench.judge(writing("agent.mdx"), { ...options, user: named })).toBe("allow");
  });

  test("the records of an agent whose data is in the workspace are asked about", async () => {
    using bench = workspaceBench();
    const dataDir = join(bench.workspace, "data");
    const options = { workspace: bench.workspace, dataDir, user: { mode: "edits" } } as const;
    expect(await bench.judge(writing("../work/data/sessions/main/journal.jsonl"), options)).toBe("ask");
  });

  test("a question and the flag that answers it name paths of the workspace", async () => {
    using bench = workspaceBench();
    const { workspace } = bench;
    await bench.run(writing("../work/src/a.ts"), { workspace, onApproval: answering("no") });
    expect(bench.asked).toMatchObject([{ pattern: "write_file(src/a.ts)", reason: "writes in the workspace" }]);
    const said = await bench.run(writing("../work/src/a.ts"), { workspace, user: { mode: "ask" } });
    expect(said).toBe(
      "not run: writes in the workspace, and no user can be asked; allow it with --allow 'write_file(src/a.ts)'",
    );
    const user = { mode: "ask", allow: ["write_file(src/a.ts)"] } as const;
    expect(await bench.judge(writing("../work/src/a.ts"), { workspace, user })).toBe("allow");
  });
});
