import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answering, bash, callOf, permissionBench, reading, writing } from "../support/permission-bench.ts";

const { signal } = new AbortController();

describe("the answer about a prefix", () => {
  test("is shown before it is chosen, and allows plain commands with it in this session alone", async () => {
    using bench = permissionBench();
    const permissions = bench.open({ onApproval: answering("prefix", "no") });
    const gate = bench.gate(permissions, "a");
    expect(await gate.ask(bash("git status"), signal)).toStrictEqual({ action: "allow" });
    expect(bench.asked[0]).toMatchObject({ pattern: "bash(git status)", prefix: "bash(git status *)" });
    for (const command of ["git status", "git status --short", "git  status 'a b'"]) {
      expect(await gate.rule(bash(command))).toStrictEqual({ action: "allow" });
    }
    for (const command of [
      ...["git", "git log", "git statusx", "git -C / status", "GIT status", "echo git status"],
      ...["git status; rm x", "git status && rm x", "git status\nrm x", "git status | sh", "git status &"],
      ...["git status > x", "git status $(rm x)", "git status `rm x`", "git status $X", "X=1 git status"],
    ]) {
      expect(await gate.rule(bash(command))).toBeUndefined();
    }
    expect(await bench.gate(permissions, "b").rule(bash("git status"))).toBeUndefined();
    expect(await gate.rule(callOf("make", { command: "git status" }))).toBeUndefined();
  });

  test("holds after a restart in the same session, and its line holds no command", async () => {
    using bench = permissionBench();
    const call = bash("git commit --message secret-word");
    await bench.gate(bench.open({ onApproval: answering("prefix") }), "main", "first").ask(call, signal);
    const later = bench.open();
    expect(await bench.gate(later, "main", "first").rule(bash("git commit --amend"))).toStrictEqual({
      action: "allow",
    });
    expect(await bench.gate(later, "main", "second").rule(bash("git commit --amend"))).toBeUndefined();
    const [file = ""] = readdirSync(bench.approvalsDirectory).filter((name) => name !== "key");
    const line = readFileSync(join(bench.approvalsDirectory, file), "utf8");
    expect(line).not.toContain("secret-word");
    expect(JSON.parse(line)).toMatchObject({ pattern: "bash(git commit *)", scope: "session" });
  });

  test("is void when the code of the tool has changed, and without the sandbox in which it was given", async () => {
    using bench = permissionBench("ask");
    const call = callOf("make", { command: "git status" });
    const given = { onApproval: answering("prefix"), codeHashOf: () => "one" };
    await bench.gate(bench.open(given)).ask(call, signal);
    expect(await bench.gate(bench.open({ codeHashOf: () => "one" })).rule(call)).toStrictEqual({ action: "allow" });
    expect(await bench.gate(bench.open({ codeHashOf: () => "two" })).rule(call)).toBeUndefined();
    const unheld = { codeHashOf: () => "one", unenforcedLimits: async () => 'network="none"' };
    expect(await bench.gate(bench.open(unheld)).rule(call)).toBeUndefined();
  });

  test("is not offered, and does not count, where a rule asks about certain commands; what is denied stays denied", async () => {
    using bench = permissionBench();
    const onApproval = answering("prefix");
    const general = { user: { settings: { bash: "ask" } }, onApproval } as const;
    await bench.gate(bench.open(general)).ask(bash("git push"), signal);
    expect(await bench.gate(bench.open(general)).rule(bash("git push origin"))).toStrictEqual({ action: "allow" });
    const special = { user: { settings: { bash: "ask", "bash(git push --force*)": "ask" } }, onApproval } as const;
    const gate = bench.gate(bench.open(special));
    expect(await gate.rule(bash("git push origin"))).toStrictEqual({ action: "allow" });
    expect(await gate.rule(bash("git push --force"))).toBeUndefined();
    await gate.ask(bash("git push --force"), signal);
    expect(bench.asked.at(-1)?.prefix).toBeUndefined();
    // What was not offered counts once.
    expect(await gate.rule(bash("git push --force"))).toBeUndefined();
    const denied = { user: { deny: ["bash(git push *)"] }, onApproval } as const;
    expect(await bench.gate(bench.open(denied)).rule(bash("git push origin"))).toMatchObject({ action: "deny" });
    const planned = bench.open(general);
    planned.chooseMode("plan");
    expect(await bench.gate(planned).rule(bash("git push origin"))).toMatchObject({ action: "deny" });
  });
});

describe("the answer for all edits", () => {
  const setUp = (): ReturnType<typeof permissionBench> & { readonly workspace: string } => {
    const bench = permissionBench();
    const workspace = join(bench.path, "work");
    mkdirSync(workspace);
    return { ...bench, workspace };
  };

  test("gives this session the mode edits, and no other; a mode that is chosen ends it", async () => {
    using bench = setUp();
    const permissions = bench.open({ workspace: bench.workspace, onApproval: answering("edits", "no") });
    const gate = bench.gate(permissions, "a");
    expect(await gate.ask(writing("../work/a.txt"), signal)).toMatchObject({ action: "allow" });
    expect(bench.asked[0]).toMatchObject({ offersEdits: true });
    expect(await gate.rule(writing("../work/b/c.txt"))).toStrictEqual({ action: "allow" });
    expect([permissions.modeOf("a"), permissions.modeOf("b"), permissions.mode]).toStrictEqual(["edits", "ask", "ask"]);
    expect(await bench.gate(permissions, "b").rule(writing("../work/a.txt"))).toBeUndefined();
    for (const call of [writing("../other/a.txt"), writing("../work/.envrc"), writing("agent.mdx"), bash("ls")]) {
      expect(await gate.rule(call)).toBeUndefined();
    }
    expect(permissions.after({}).modeOf("a")).toBe("edits");
    permissions.chooseMode("ask");
    expect(await gate.rule(writing("../work/b/c.txt"))).toBeUndefined();
  });

  test("is offered for a write that the mode alone asks about; elsewhere it counts once", async () => {
    using bench = setUp();
    const settings = { "write_file(notes/**)": "ask" } as const;
    const permissions = bench.open({ workspace: bench.workspace, user: { settings }, onApproval: answering("edits") });
    const gate = bench.gate(permissions);
    const calls = [
      writing("../work/.envrc"),
      writing("../work/notes/a"),
      writing("../other/a"),
      reading("../other/a"),
      bash("ls"),
    ];
    for (const call of calls) {
      expect(await gate.ask(call, signal)).toMatchObject({ action: "allow" });
      expect(await gate.rule(call)).toBeUndefined();
    }
    expect(bench.asked.map(({ offersEdits }) => offersEdits)).toStrictEqual(calls.map(() => undefined));
    expect(permissions.modeOf("main")).toBe("ask");
  });

  test("also lets the edits run that had already asked when it was given", async () => {
    using bench = setUp();
    const permissions = bench.open({ workspace: bench.workspace, onApproval: answering("edits", "no") });
    const gate = bench.gate(permissions);
    const calls = [writing("../work/a.txt"), writing("../work/b.txt"), bash("ls")];
    const decisions = await Promise.all(calls.map((call) => gate.ask(call, signal)));
    expect(decisions.map(({ action }) => action)).toStrictEqual(["allow", "allow", "deny"]);
    expect(bench.asked.length).toBe(2);
  });
});
