import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ApprovalAnswer } from "@mdx-ai/runtime";
import type { Permissions } from "../../../packages/runtime/src/permissions/permissions.ts";
import { sandboxOpenings } from "../../../packages/runtime/src/permissions/sandbox-openings.ts";
import type { SandboxAccess, SandboxOpenings } from "../../../packages/runtime/src/types/permission.ts";
import { answering, type PermissionBench, permissionBench } from "../../support/permission-bench.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const { signal } = new AbortController();

const host = (name: string): SandboxAccess => ({ kind: "host", host: name });
const write = (path: string): SandboxAccess => ({ kind: "write", path });
const outside: SandboxAccess = { kind: "outside", command: "make" };

const openingsOf = (permissions: Permissions, sessionKey = "main", tool = "bash"): SandboxOpenings =>
  sandboxOpenings({
    ...{ permissions, session: "main", sessionKey, tool },
    ...{ toolCallId: "c1", args: { command: "make" } },
  });

/** What the user is asked to open for a command that wanted to write a path; "nothing" if nothing is asked. */
async function offeredFor(
  bench: PermissionBench,
  path: string,
  options: Parameters<PermissionBench["open"]>[0] = {},
): Promise<SandboxAccess | "nothing"> {
  const openings = openingsOf(bench.open({ ...options, onApproval: answering("once") }));
  const answer = await openings.ask("make", write(path), signal);
  return answer && "access" in answer ? answer.access : "nothing";
}

describe("what the sandbox held back from a command", () => {
  test("is asked about with the call, and opened for it", async () => {
    using bench = permissionBench();
    const openings = openingsOf(bench.open({ onApproval: answering("once") }));
    expect(await openings.ask("make", host("a.example"), signal)).toEqual({ access: host("a.example"), lasts: "once" });
    expect(bench.asked).toEqual([
      {
        session: "main",
        toolCallId: "c1",
        toolName: "bash",
        args: { command: "make" },
        access: { kind: "sandbox", wanted: host("a.example") },
        reason: "the sandbox prevented reaching a.example",
        pattern: "all commands to reach a.example",
      },
    ]);
    expect(openings.known("make")).toEqual([]);
  });

  test("is not asked about twice for one call", async () => {
    using bench = permissionBench();
    const openings = openingsOf(bench.open({ onApproval: answering("once") }));
    const first = await openings.ask("make", host("a.example"), signal);
    expect(await openings.ask("make", host("a.example"), signal)).toEqual(first);
    expect(bench.asked.length).toBe(1);
  });

  test("stays closed with a no, whose reason the model receives", async () => {
    using bench = permissionBench();
    const onApproval = async (): Promise<ApprovalAnswer> => ({ answer: "no", reason: "use the mirror" });
    const openings = openingsOf(bench.open({ onApproval }));
    expect(await openings.ask("make", host("a.example"), signal)).toEqual({
      refused: "the user did not allow it: use the mirror",
    });
  });

  test("stays closed where nobody can be asked, the question fails or the prompt is stopped", async () => {
    using bench = permissionBench();
    expect(await openingsOf(bench.open()).ask("make", host("a.example"), signal)).toBeUndefined();
    const onApproval = (): Promise<ApprovalAnswer> => Promise.reject(new Error("the terminal is gone"));
    expect(await openingsOf(bench.open({ onApproval })).ask("make", host("a.example"), signal)).toBeUndefined();
    const stopped = new AbortController();
    const late = async (): Promise<ApprovalAnswer> => {
      stopped.abort();
      return { answer: "always" };
    };
    const permissions = bench.open({ onApproval: late });
    expect(await openingsOf(permissions).ask("make", host("a.example"), stopped.signal)).toBeUndefined();
    expect(openingsOf(permissions).known("make")).toEqual([]);
  });
});

describe("an answer", () => {
  test("for the session holds for its later commands, of the same tool, and for no other session", async () => {
    using bench = permissionBench();
    const permissions = bench.open({ onApproval: answering("session") });
    await openingsOf(permissions).ask("make", host("a.example"), signal);
    const known = [{ access: host("a.example"), lasts: "session" as const }];
    expect(openingsOf(permissions).known("other")).toEqual(known);
    expect(openingsOf(permissions, "later").known("make")).toEqual([]);
    expect(openingsOf(permissions, "main", "deploy").known("make")).toEqual([]);
  });

  test("for always holds after a restart, also where nobody can be asked; without a sandbox for its command alone", async () => {
    using bench = permissionBench();
    const folder = dirname(bench.put("project/a.txt"));
    const first = openingsOf(bench.open({ onApproval: answering("always") }));
    for (const access of [host("a.example"), write(join(folder, "b.txt")), outside]) {
      await first.ask("make", access, signal);
    }
    const later = openingsOf(bench.open(), "later");
    const opened = [host("a.example"), write(folder)].map((access) => ({ access, lasts: "always" as const }));
    expect(later.known("make")).toEqual([...opened, { access: outside, lasts: "always" }]);
    expect(later.known("make test")).toEqual(opened);
  });

  test("for always is void when the user denies something in the folder", async () => {
    using bench = permissionBench();
    const folder = dirname(bench.put("project/a.txt"));
    await openingsOf(bench.open({ onApproval: answering("always") })).ask("make", write(join(folder, "b")), signal);
    const user = { deny: [`write_file(${folder}/keep/**)`] };
    expect(openingsOf(bench.open({ user })).known("make")).toEqual([]);
    const required = openingsOf(bench.open({ mustContain: true }));
    expect(required.known("make").length).toBe(1);
  });
});

describe("a command that wanted to write", () => {
  test("a file that exists is offered that file; else the nearest folder that exists", async () => {
    using bench = permissionBench();
    const file = bench.put("project/a.txt");
    expect(await offeredFor(bench, file)).toEqual(write(file));
    expect(await offeredFor(bench, join(bench.path, "project/x/y.txt"))).toEqual(write(join(bench.path, "project")));
  });

  test("beside the agent directory is offered the folder around it; farther up all or nothing", async () => {
    using bench = permissionBench();
    expect(await offeredFor(bench, join(bench.path, "x"), { environment: { HOME: "/nowhere" } })).toEqual(
      write(bench.path),
    );
    expect(
      await offeredFor(bench, join(dirname(bench.path), crypto.randomUUID()), { environment: { HOME: "/nowhere" } }),
    ).toEqual(outside);
  });

  test("in the home folder or around it is offered all of it, since settings and secrets are in there", async () => {
    using bench = permissionBench();
    expect(await offeredFor(bench, join(bench.home, "x"))).toEqual(outside);
    expect(await offeredFor(bench, join(bench.path, "x"))).toEqual(outside);
    mkdirSync(join(bench.home, ".config"));
    expect(await offeredFor(bench, join(bench.home, ".config/x"))).toEqual(outside);
    const project = dirname(bench.put("home/project/a.txt"));
    expect(await offeredFor(bench, join(project, "b.txt"))).toEqual(write(project));
  });

  test.each([".ssh/config", ".config/mdx-ai/settings.yaml", ".local/state/mdx-ai/approvals/x", "project/.env"])(
    "the secret %s is offered nothing",
    async (place) => {
      using bench = permissionBench();
      mkdirSync(dirname(join(bench.home, place)), { recursive: true });
      expect(await offeredFor(bench, join(bench.home, place))).toBe("nothing");
      expect(bench.asked).toEqual([]);
    },
  );

  test.each(["agent.mdx", ".git/config", "sessions/main/journal.jsonl", "skills/x/SKILL.md"])(
    "%s, which is of the agent, is told what it is, and can only leave the sandbox, or nothing where one is required",
    async (place) => {
      using bench = permissionBench();
      const path = join(bench.agentDir, place);
      expect(await offeredFor(bench, path)).toEqual(outside);
      expect(bench.asked[0]?.reason).toMatch(/, which (?:defines|records) /);
      expect(await offeredFor(bench, path, { mustContain: true })).toBe("nothing");
    },
  );

  test("what records the agent elsewhere is never opened alone", async () => {
    using bench = permissionBench();
    const dataDir = join(bench.path, "data");
    bench.put("data/sessions/main/journal.jsonl");
    for (const place of ["data/x", "data/sessions/x", "data/sessions/main/journal.jsonl"]) {
      expect(await offeredFor(bench, join(bench.path, place), { dataDir })).toEqual(outside);
    }
  });

  test("what the user denies, or a folder with that in it, is offered nothing; what the directory denies is asked about", async () => {
    using bench = permissionBench();
    const file = bench.put("project/keep/a.txt");
    const denials = [
      { deny: ["write_file(../project/keep/**)"] },
      { settings: { "write_file(../project/keep/a.txt)": "deny" } },
    ] as const;
    for (const user of denials) {
      expect(await offeredFor(bench, file, { user })).toBe("nothing");
      expect(await offeredFor(bench, join(bench.path, "project/b.txt"), { user })).toBe("nothing");
    }
    expect(await offeredFor(bench, file, { settings: { write_file: "deny" } })).toEqual(write(file));
  });

  test("nothing leaves the sandbox while the user denies some files: nothing else would hold a command back", async () => {
    using bench = permissionBench();
    const openings = openingsOf(
      bench.open({ user: { deny: ["read_file(~/diary/**)"] }, onApproval: answering("once") }),
    );
    expect(await openings.ask("make", outside, signal)).toBeUndefined();
    expect(bench.asked).toEqual([]);
  });

  test("a pipe is not opened alone", async () => {
    using bench = permissionBench();
    const pipe = join(dirname(bench.put("project/a.txt")), "pipe");
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
    expect(await offeredFor(bench, pipe)).toEqual(outside);
  });

  test.each(["/proc/x", "/sys/kernel/x", "/dev/null", "/tmp/mdx-ai-0/x", "/tmp/mdx-ai-1000"])(
    "%s is offered nothing: no command needs to write there",
    async (path) => {
      using bench = permissionBench();
      expect(await offeredFor(bench, path)).toBe("nothing");
      expect(bench.asked).toEqual([]);
    },
  );

  test("the programs that contain it is offered nothing, and no path in a folder where programs are found", async () => {
    using bench = permissionBench();
    const program = bench.put("tools/bin/bwrap", "#!/bin/sh\n");
    chmodSync(program, 0o755);
    const environment = { HOME: bench.home, PATH: dirname(program) };
    for (const path of [program, process.execPath])
      expect(await offeredFor(bench, path, { environment })).toBe("nothing");
    for (const path of ["tools/bin/nsenter", "tools/x"]) {
      expect(await offeredFor(bench, join(bench.path, path), { environment })).toEqual(outside);
    }
  });

  test.each(["/etc/cron.d/x", "/usr/lib/x", "/var/spool/cron/x", "/run/x", "/opt/x", "/var/x", "/tmp/x"])(
    "%s, which is of the system or private in a sandbox, is not opened by its path, and the question names it",
    async (path) => {
      using bench = permissionBench();
      const environment = { HOME: "/nowhere" };
      expect(await offeredFor(bench, path, { environment })).toEqual(outside);
      expect(bench.asked[0]?.reason).toBe(`the sandbox prevented writing ${path}`);
    },
  );

  test("another folder in /tmp is opened where the user works there alone: else the sandbox does not show it", async () => {
    using bench = permissionBench();
    using other = temporaryDirectory();
    expect(await offeredFor(bench, join(other.path, "x"))).toEqual(outside);
    expect(await offeredFor(bench, join(other.path, "x"), { cwd: other.path })).toEqual(write(other.path));
  });
});

describe("a command that wanted to write beside or in other agents", () => {
  test.each(["other/agent.mdx", "a/b/c/agent.mdx"])("is not offered a folder with %s in it", async (definition) => {
    using bench = permissionBench();
    bench.put(`project/${definition}`);
    const agent = dirname(join(bench.path, "project", definition));
    expect(await offeredFor(bench, join(bench.path, "project/x"))).toEqual(outside);
    const wanted = join(bench.path, "project/x");
    expect(bench.asked[0]?.reason).toBe(`the sandbox prevented writing ${wanted}, beside the agent ${agent}`);
  });

  test("is not offered the folder around its own agent either", async () => {
    using bench = permissionBench();
    const environment = { HOME: "/nowhere" };
    expect(await offeredFor(bench, join(bench.path, "x"), { environment })).toEqual(write(bench.path));
    bench.put("other/agent.mdx");
    expect(await offeredFor(bench, join(bench.path, "x"), { environment })).toEqual(outside);
  });

  test("is not offered a file in one, nor a folder", async () => {
    using bench = permissionBench();
    bench.put("project/agent.mdx");
    for (const file of [bench.put("project/data/a.txt"), join(bench.path, "project/data/b.txt")]) {
      expect(await offeredFor(bench, file)).toEqual(outside);
      const agent = join(bench.path, "project");
      expect(bench.asked.at(-1)?.reason).toBe(`the sandbox prevented writing ${file}, which is of the agent ${agent}`);
    }
  });

  test("loses an earlier answer for a folder in which one is made", async () => {
    using bench = permissionBench();
    const folder = dirname(bench.put("project/a.txt"));
    await openingsOf(bench.open({ onApproval: answering("always") })).ask("make", write(join(folder, "b")), signal);
    expect(openingsOf(bench.open()).known("make").length).toBe(1);
    bench.put("project/new/agent.mdx");
    expect(openingsOf(bench.open()).known("make")).toEqual([]);
  });
});
