import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ApprovalAnswer } from "@mdx-ai/loop";
import type { Permissions } from "@mdx-ai/permissions";
import { eventually } from "../support/eventually.ts";
import {
  answering,
  bash,
  callOf,
  type PermissionBench,
  permissionBench,
  reading,
  writing,
} from "../support/permission-bench.ts";

const { signal } = new AbortController();

/** The one file of approvals. */
function approvalsFile({ approvalsDirectory }: PermissionBench): string {
  const names = readdirSync(approvalsDirectory).filter((name) => name !== "key");
  expect(names).toHaveLength(1);
  return join(approvalsDirectory, names[0] ?? "");
}

describe("the user's answer", () => {
  test("once: lets this call through and asks about the next", async () => {
    using bench = permissionBench();
    const onApproval = answering("once", "no");
    const permissions = bench.open({ onApproval });
    const gate = bench.gate(permissions);
    expect(await gate.ask(bash("ls"), signal)).toStrictEqual({ action: "allow" });
    expect(await gate.rule(bash("ls"))).toBeUndefined();
    expect(await gate.ask(bash("ls"), signal)).toStrictEqual({
      action: "deny",
      reason: "not run: the user refused it",
    });
  });

  test("for this session: lets the same through in this session, and nothing else", async () => {
    using bench = permissionBench();
    const permissions = bench.open({ onApproval: answering("session") });
    const gate = bench.gate(permissions, "a");
    await gate.ask(bash("git status"), signal);
    expect(await gate.rule(bash("git status"))).toStrictEqual({ action: "allow" });
    expect(await gate.rule(bash("git status; rm x"))).toBeUndefined();
    expect(await gate.rule(bash("git"))).toBeUndefined();
    expect(await bench.gate(permissions, "b").rule(bash("git status"))).toBeUndefined();
  });

  test("for this session: does not hold for a later session of the same name, in a later process either", async () => {
    using bench = permissionBench();
    const permissions = bench.open({ onApproval: answering("session") });
    await bench.gate(permissions, "main", "first").ask(bash("git status"), signal);
    for (const same of [permissions, bench.open()]) {
      expect(await bench.gate(same, "main", "first").rule(bash("git status"))).toStrictEqual({ action: "allow" });
      expect(await bench.gate(same, "renamed", "first").rule(bash("git status"))).toStrictEqual({ action: "allow" });
      expect(await bench.gate(same, "main", "second").rule(bash("git status"))).toBeUndefined();
    }
    expect(bench.asked.map(({ session }) => session)).toStrictEqual(["main"]);
  });

  test("always: lets the same through in every session, in a later process, too", async () => {
    using bench = permissionBench();
    await bench.gate(bench.open({ onApproval: answering("always") }), "a").ask(writing("agent.mdx"), signal);
    const later = bench.gate(bench.open(), "b");
    expect(await later.rule(writing("agent.mdx", "other text"))).toStrictEqual({ action: "allow" });
    expect(await later.rule(writing("heartbeat.md"))).toBeUndefined();
  });

  test("always: of a tool whose touch is not known is for all its calls", async () => {
    using bench = permissionBench("ask");
    const gate = bench.gate(bench.open({ onApproval: answering("always") }));
    await gate.ask(callOf("deploy", { to: "test" }), signal);
    expect(bench.asked[0]?.pattern).toBe("deploy");
    expect(await gate.rule(callOf("deploy", { to: "production" }))).toStrictEqual({ action: "allow" });
  });

  test("no, with a reason: the model receives the user's words", async () => {
    using bench = permissionBench();
    const onApproval = async (): Promise<ApprovalAnswer> => ({ answer: "no", reason: "use git switch" });
    expect(await bench.run(bash("git checkout x"), { onApproval })).toBe(
      "not run: the user refused it: use git switch",
    );
  });

  test("does not lift a denial", async () => {
    using bench = permissionBench();
    await bench.gate(bench.open({ onApproval: answering("always") })).ask(bash("ls"), signal);
    expect(await bench.judge(bash("ls"), { user: { deny: ["bash"] } })).toBe("not run: the user denies bash");
    expect(await bench.run(bash("ls"), { user: { deny: ["bash"] }, onApproval: answering("once") })).toContain(
      "denies",
    );
  });

  test("is asked for with all that will run, why, and what always would allow", async () => {
    using bench = permissionBench();
    const call = bash("rm *.txt");
    await bench.gate(bench.open({ onApproval: answering("no") }), "s").ask(call, signal);
    expect(bench.asked).toStrictEqual([
      {
        ...{
          session: "s",
          toolCallId: call.id,
          toolName: "bash",
          toolOrigin: "builtin",
          args: { command: "rm *.txt" },
        },
        access: { kind: "command", command: "rm *.txt" },
        reason: "runs a shell command outside a sandbox",
        pattern: "bash(rm \\*.txt)",
        prefix: "bash(rm *)",
      },
    ]);
  });

  test("settles what waited behind it: ten same calls at once are one question", async () => {
    using bench = permissionBench();
    const gate = bench.gate(bench.open({ onApproval: answering("session") }));
    const decisions = await Promise.all(Array.from({ length: 10 }, () => gate.ask(bash("ls"), signal)));
    expect(bench.asked).toHaveLength(1);
    expect(new Set(decisions.map((decision) => JSON.stringify(decision))).size).toBe(1);
  });

  test("is asked for one question of a session at a time", async () => {
    using bench = permissionBench();
    let open = 0;
    let most = 0;
    const onApproval = async (): Promise<ApprovalAnswer> => {
      open += 1;
      most = Math.max(most, open);
      await Bun.sleep(1);
      open -= 1;
      return { answer: "once" };
    };
    const permissions = bench.open({ onApproval });
    const ask = (index: number, session: string) => bench.gate(permissions, session).ask(bash(`echo ${index}`), signal);
    await Promise.all(Array.from({ length: 10 }, (_, index) => ask(index, "main")));
    expect({ most, asked: bench.asked.length }).toStrictEqual({ most: 1, asked: 10 });
    await Promise.all([ask(11, "main"), ask(12, "other")]);
    expect(most).toBe(2);
  });

  test("holds for the code that was asked about: a tool that has changed meanwhile is not run", async () => {
    using bench = permissionBench();
    const code = { hash: "old" };
    const onApproval = async (): Promise<ApprovalAnswer> => {
      code.hash = "new";
      return { answer: "always" };
    };
    const gate = bench.gate(bench.open({ onApproval, codeHashOf: () => code.hash }));
    expect(await gate.ask(bash("ls"), signal)).toStrictEqual({
      action: "deny",
      reason: "not run: the tool has changed since the user was asked; call again to ask anew",
    });
    expect(await gate.rule(bash("ls"))).toBeUndefined();
  });

  test("a question that fails denies the call", async () => {
    using bench = permissionBench();
    const onApproval = (): Promise<ApprovalAnswer> => Promise.reject(new Error("the terminal is gone"));
    expect(await bench.run(bash("ls"), { onApproval })).toBe("not run: the terminal is gone");
  });
});

describe("a prompt that is stopped", () => {
  const stopped = "not run: the prompt was stopped before the user answered, and it was not started";

  test("has its question denied, even if the question is not withdrawn, and the next one is asked", async () => {
    using bench = permissionBench();
    const stop = new AbortController();
    const permissions = bench.open({
      onApproval: ({ args }) =>
        args["command"] === "first" ? new Promise(() => {}) : Promise.resolve({ answer: "once" }),
    });
    const gate = bench.gate(permissions);
    const first = gate.ask(bash("first"), stop.signal);
    const waiting = bench.gate(permissions).ask(bash("waiting"), stop.signal);
    await eventually(() => expect(bench.asked).toHaveLength(1));
    stop.abort();
    expect(await first).toStrictEqual({ action: "deny", reason: stopped });
    expect(await waiting).toStrictEqual({ action: "deny", reason: stopped });
    expect(await gate.ask(bash("next"), signal)).toMatchObject({ action: "allow" });
    expect(bench.asked.map(({ args }) => args["command"])).toStrictEqual(["first", "next"]);
  });

  test("keeps no approval that comes too late", async () => {
    using bench = permissionBench();
    const stop = new AbortController();
    const onApproval = async (): Promise<ApprovalAnswer> => {
      stop.abort();
      return { answer: "always" };
    };
    const permissions = bench.open({ onApproval });
    expect(await bench.gate(permissions).ask(bash("ls"), stop.signal)).toStrictEqual({
      action: "deny",
      reason: stopped,
    });
    expect(await bench.gate(permissions).rule(bash("ls"))).toBeUndefined();
  });
});

describe("if there is no one to ask", () => {
  const cases = [
    ["--allow 'bash(git status)'", bash("git status")],
    ["--allow 'bash(echo '\\''a'\\'')'", bash("echo 'a'")],
    ["--allow 'bash(rm \\*)'", bash("rm *")],
    ["--allow bash", bash("two\nlines")],
    ["--allow bash", bash("x".repeat(500))],
    ["--allow bash", bash("echo \u202ehidden")],
    ["--allow 'write_file(agent.mdx)'", writing("agent.mdx")],
    ["--allow 'read_file(/usr/share/x)'", reading("/usr/share/x")],
    ["--allow 'read_file(/etc/shadow)'", reading("/etc/shadow")],
  ] as const;
  test.each(cases)("a call is denied with the flag that allows it: %s", async (flag, call) => {
    using bench = permissionBench();
    const reported = await bench.run(call);
    expect(reported).toStartWith("not run: ");
    expect(reported).toEndWith(`, and no user can be asked; allow it with ${flag}`);
  });

  test.each(cases)("%s allows that call", async (flag, call) => {
    using bench = permissionBench();
    const words = Bun.spawnSync(["/bin/sh", "-c", `printf %s ${flag.slice("--allow ".length)}`]).stdout.toString();
    expect(await bench.judge(call, { user: { allow: [words] } })).toBe("allow");
  });
});

describe("the file of approvals", () => {
  const allowed = async (bench: PermissionBench, options: Parameters<PermissionBench["open"]>[0] = {}) =>
    (await bench.gate(bench.open(options)).rule(bash("ls")))?.action === "allow";

  async function approve(
    bench: PermissionBench,
    options: Parameters<PermissionBench["open"]>[0] = {},
  ): Promise<Permissions> {
    const permissions = bench.open({ onApproval: answering("always"), ...options });
    await bench.gate(permissions).ask(bash("ls"), signal);
    return permissions;
  }

  test("holds what was approved, a line each, for its owner alone", async () => {
    using bench = permissionBench();
    await approve(bench, { codeHashOf: () => "abc", now: () => 1234 });
    const file = approvalsFile(bench);
    expect(JSON.parse(readFileSync(file, "utf8"))).toStrictEqual({
      ...{ v: 1, sessionKey: "main", tool: "bash", codeHash: "abc", at: 1234, pattern: "bash(ls)", scope: "always" },
      access: expect.stringMatching(/^[0-9a-f]{64}$/),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(bench.approvalsDirectory).mode & 0o777).toBe(0o700);
  });

  test("does not count if a line is of a newer version, and says so", async () => {
    using bench = permissionBench();
    await approve(bench);
    appendFileSync(approvalsFile(bench), '{"v":2}\n');
    const warnings: string[] = [];
    expect(await allowed(bench, { onWarning: (warning) => warnings.push(warning) })).toBe(false);
    expect(warnings).toStrictEqual([
      `earlier approvals are ignored: ${approvalsFile(bench)} was written by a newer version of mdx-ai; update mdx-ai`,
    ]);
  });

  test("counts for its own agent and no other", async () => {
    using bench = permissionBench();
    await approve(bench);
    expect(await allowed(bench)).toBe(true);
    expect(await allowed(bench, { agentDir: bench.home })).toBe(false);
  });

  test("counts in another process at once", async () => {
    using bench = permissionBench();
    const other = bench.gate(bench.open());
    expect(await other.rule(bash("ls"))).toBeUndefined();
    await approve(bench);
    expect(await other.rule(bash("ls"))).toStrictEqual({ action: "allow" });
  });

  test("is void for a tool whose code has changed, and says so when it asks again", async () => {
    using bench = permissionBench();
    await approve(bench, { codeHashOf: () => "old" });
    expect(await allowed(bench, { codeHashOf: () => "old" })).toBe(true);
    expect(await allowed(bench, { codeHashOf: () => "new" })).toBe(false);
    expect(await allowed(bench)).toBe(false);
    await bench.run(bash("ls"), { codeHashOf: () => "new", onApproval: answering("no") });
    expect(bench.asked.at(-1)?.reason).toEndWith("; its code has changed since it was approved");
  });

  test("may be torn, and hold what is no approval: the rest counts, and the next one is whole", async () => {
    using bench = permissionBench();
    await approve(bench);
    const file = approvalsFile(bench);
    const line = readFileSync(file, "utf8");
    appendFileSync(file, `null\n{"scope":"always"}\n[]\n${line.slice(0, 40)}`);
    expect(await allowed(bench)).toBe(true);
    await bench.gate(bench.open({ onApproval: answering("always") })).ask(bash("pwd"), signal);
    expect((await bench.gate(bench.open()).rule(bash("pwd")))?.action).toBe("allow");
  });

  test("holds neither a key of the command nor a hash that can be guessed; the exact command alone is approved", async () => {
    using bench = permissionBench();
    const redact = (text: string): string => text.replaceAll("s3cr3t", "[redacted]");
    const approved = bench.open({ onApproval: answering("always"), redact });
    await bench.gate(approved).ask(bash("login s3cr3t"), signal);
    const line = readFileSync(approvalsFile(bench), "utf8");
    expect(line).not.toContain("s3cr3t");
    expect(JSON.parse(line).pattern).toBe("bash(login [redacted])");
    const guesses = ["login s3cr3t", "command login s3cr3t"].map((text) => new Bun.SHA256().update(text).digest("hex"));
    for (const guess of guesses) expect(line).not.toContain(guess);
    const later = bench.gate(bench.open({ redact }));
    expect(await later.rule(bash("login s3cr3t"))).toStrictEqual({ action: "allow" });
    for (const other of ["login [redacted]", "login s3cr3t2", "login"]) {
      expect(await later.rule(bash(other))).toBeUndefined();
    }
  });

  test("counts with the user's key alone, which is its owner's alone: with another one all is asked again", async () => {
    using bench = permissionBench();
    await approve(bench);
    const key = join(bench.approvalsDirectory, "key");
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const text = readFileSync(key, "utf8");
    expect(text).toMatch(/^[0-9a-f]{64}\n$/);
    writeFileSync(key, `${"0".repeat(64)}\n`);
    expect(await allowed(bench)).toBe(false);
    writeFileSync(key, text);
    expect(await allowed(bench)).toBe(true);
    chmodSync(key, 0o644);
    expect(await allowed(bench)).toBe(false);
    await approve(bench);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readFileSync(key, "utf8")).not.toBe(text);
    expect(await allowed(bench)).toBe(true);
  });

  test("that is a symbolic link is not believed, and not written to", async () => {
    using bench = permissionBench();
    await approve(bench);
    const file = approvalsFile(bench);
    const elsewhere = join(bench.agentDir, "mine.jsonl");
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    const before = readFileSync(elsewhere, "utf8");
    expect(await allowed(bench)).toBe(false);
    const permissions = bench.open({ onApproval: answering("always") });
    const gate = bench.gate(permissions);
    await gate.ask(bash("pwd"), signal);
    expect(await gate.rule(bash("pwd"))).toStrictEqual({ action: "allow" });
    expect(readFileSync(elsewhere, "utf8")).toBe(before);
    expect(bench.warnings.join("\n")).toContain("is a symbolic link");
    expect(bench.warnings.join("\n")).toContain("the approval lasts for this process only");
  });

  test("that others can write is not believed, with one warning", async () => {
    using bench = permissionBench();
    await approve(bench);
    chmodSync(approvalsFile(bench), 0o666);
    const gate = bench.gate(bench.open());
    for (let round = 0; round < 3; round += 1) expect(await gate.rule(bash("ls"))).toBeUndefined();
    expect(bench.warnings).toHaveLength(1);
    expect(bench.warnings[0]).toContain("can be written by others");
  });

  test("is not kept in the agent directory, where tools can write", async () => {
    using bench = permissionBench();
    const approvalsDirectory = join(bench.agentDir, "approvals");
    expect((await approve(bench, { approvalsDirectory })).approvals).toBeDefined();
    expect(readdirSync(bench.agentDir)).toStrictEqual([]);
    expect(bench.warnings).toHaveLength(1);
  });

  test("is not there without a directory for it: approvals last as long as the agent is open", async () => {
    using bench = permissionBench();
    const permissions = await approve(bench, { approvalsDirectory: undefined });
    expect(await bench.gate(permissions).rule(bash("ls"))).toStrictEqual({ action: "allow" });
    expect(await allowed(bench, { approvalsDirectory: undefined })).toBe(false);
  });

  test("is no file to be asked for by a tool: reading and writing it is asked about", async () => {
    using bench = permissionBench();
    await approve(bench);
    const file = approvalsFile(bench);
    expect(await bench.judge(reading(file), { cwd: bench.home })).toBe("ask");
    expect(await bench.judge(writing(file), { user: { settings: { write_file: "allow" } } })).toBe("ask");
  });
});
