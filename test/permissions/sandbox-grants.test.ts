import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "@mdx-ai/base";
import type { ApprovalAnswer, SandboxAccess, SandboxGrants } from "@mdx-ai/loop";
import type { Permissions } from "@mdx-ai/permissions";
import { sandboxGrants } from "@mdx-ai/permissions";
import { answering, type PermissionBench, permissionBench } from "../support/permission-bench.ts";
import { sessionQuestions } from "../support/session-questions.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const { signal } = new AbortController();

const host = (name: string): SandboxAccess => ({ kind: "host", host: name });
const write = (path: string): SandboxAccess => ({ kind: "write", path });
const read = (path: string, name?: string): SandboxAccess => ({
  kind: "read",
  path,
  ...(name !== undefined && { name }),
});
const outside: SandboxAccess = { kind: "outside", command: "make" };

function grantsOf(permissions: Permissions, sessionKey = "main", tool = "bash"): SandboxGrants {
  const { onApproval } = permissions.options;
  const questions = sessionQuestions({ ...(onApproval && { onApproval }) });
  return sandboxGrants({
    ...{ permissions, session: "main", sessionKey, tool },
    ...{ toolCallId: "c1", args: { command: "make" } },
    ask: (subject, stop, isSettled) => questions.askBeside(subject, stop, { isSettled }),
  });
}

/** What the user is asked to open for a command that wanted to write a path; "nothing" if nothing is asked. */
async function offeredFor(
  bench: PermissionBench,
  path: string,
  options: Parameters<PermissionBench["open"]>[0] = {},
): Promise<SandboxAccess | "nothing"> {
  const grants = grantsOf(bench.open({ ...options, onApproval: answering("once") }));
  const answer = await grants.ask("make", write(path), signal);
  return answer && "access" in answer ? answer.access : "nothing";
}

describe("what the sandbox held back from a command", () => {
  test("is asked about with the call, and opened for it", async () => {
    using bench = permissionBench();
    const grants = grantsOf(bench.open({ onApproval: answering("once") }));
    expect(await grants.ask("make", host("a.example"), signal)).toEqual({ access: host("a.example"), lasts: "once" });
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
    expect(grants.known("make")).toEqual([]);
  });

  test("is not asked about twice for one call", async () => {
    using bench = permissionBench();
    const grants = grantsOf(bench.open({ onApproval: answering("once") }));
    const first = await grants.ask("make", host("a.example"), signal);
    expect(await grants.ask("make", host("a.example"), signal)).toEqual(first);
    expect(bench.asked.length).toBe(1);
  });

  test("stays closed with a no, whose reason the model receives", async () => {
    using bench = permissionBench();
    const onApproval = async (): Promise<ApprovalAnswer> => ({ answer: "no", reason: "use the mirror" });
    const grants = grantsOf(bench.open({ onApproval }));
    expect(await grants.ask("make", host("a.example"), signal)).toEqual({
      refused: "the user did not allow it: use the mirror",
    });
  });

  test("stays closed if there is no one to ask, the question fails or the prompt is stopped", async () => {
    using bench = permissionBench();
    expect(await grantsOf(bench.open()).ask("make", host("a.example"), signal)).toBeUndefined();
    const onApproval = (): Promise<ApprovalAnswer> => Promise.reject(new Error("the terminal is gone"));
    expect(await grantsOf(bench.open({ onApproval })).ask("make", host("a.example"), signal)).toBeUndefined();
    const stopped = new AbortController();
    const late = async (): Promise<ApprovalAnswer> => {
      stopped.abort();
      return { answer: "always" };
    };
    const permissions = bench.open({ onApproval: late });
    expect(await grantsOf(permissions).ask("make", host("a.example"), stopped.signal)).toBeUndefined();
    expect(grantsOf(permissions).known("make")).toEqual([]);
  });
});

describe("an answer", () => {
  test("for the session holds for its later commands, of the same tool, and for no other session", async () => {
    using bench = permissionBench();
    const permissions = bench.open({ onApproval: answering("session") });
    await grantsOf(permissions).ask("make", host("a.example"), signal);
    const known = [{ access: host("a.example"), lasts: "session" as const }];
    expect(grantsOf(permissions).known("other")).toEqual(known);
    expect(grantsOf(permissions, "later").known("make")).toEqual([]);
    expect(grantsOf(permissions, "main", "deploy").known("make")).toEqual([]);
  });

  test("for always holds after a restart, also without anyone to ask; without a sandbox for its command alone", async () => {
    using bench = permissionBench();
    const folder = dirname(bench.put("project/a.txt"));
    const first = grantsOf(bench.open({ onApproval: answering("always") }));
    for (const access of [host("a.example"), write(join(folder, "b.txt")), outside]) {
      await first.ask("make", access, signal);
    }
    const later = grantsOf(bench.open(), "later");
    const opened = [host("a.example"), write(folder)].map((access) => ({ access, lasts: "always" as const }));
    expect(later.known("make")).toEqual([...opened, { access: outside, lasts: "always" }]);
    expect(later.known("make test")).toEqual(opened);
  });

  test("for always is void when the user denies something in the folder", async () => {
    using bench = permissionBench();
    const folder = dirname(bench.put("project/a.txt"));
    await grantsOf(bench.open({ onApproval: answering("always") })).ask("make", write(join(folder, "b")), signal);
    const user = { deny: [`write_file(${folder}/keep/**)`] };
    expect(grantsOf(bench.open({ user })).known("make")).toEqual([]);
    const required = grantsOf(bench.open({ sandboxRequired: true }));
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
      expect(await offeredFor(bench, path, { sandboxRequired: true })).toBe("nothing");
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
    const grants = grantsOf(bench.open({ user: { deny: ["read_file(~/diary/**)"] }, onApproval: answering("once") }));
    expect(await grants.ask("make", outside, signal)).toBeUndefined();
    expect(bench.asked).toEqual([]);
  });

  test.each([
    ".git/config",
    ".git/hooks/pre-commit",
    ".git/modules/a/config",
    "deep/.vscode/tasks.json",
    ".envrc",
    ".NPMRC",
    "../repo/.git/config",
    "../repo/.git/worktrees/a/gitdir",
  ])(
    "%s of a workspace, which runs code on its own, is offered nothing, and an earlier answer is void",
    async (place) => {
      using bench = permissionBench();
      const path = bench.put(join("work", place));
      expect(await offeredFor(bench, path)).toEqual(write(path));
      const always = grantsOf(bench.open({ onApproval: answering("always") }));
      await always.ask("make", write(path), signal);
      const asked = bench.asked.length;
      const workspace = join(bench.path, "work");
      expect(await offeredFor(bench, path, { workspace })).toBe("nothing");
      expect(await offeredFor(bench, join(path, "new"), { workspace })).toBe("nothing");
      expect(bench.asked.length).toBe(asked);
      expect(grantsOf(bench.open({ workspace })).known("make")).toEqual([]);
      expect(await offeredFor(bench, bench.put("repo/.git/index"), { workspace })).toEqual(
        write(join(bench.path, "repo/.git/index")),
      );
    },
  );

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
      expect(bench.asked.at(-1)?.reason).toBe(
        `the sandbox prevented writing ${file}, which belongs to the agent ${agent}`,
      );
    }
  });

  test("loses an earlier answer for a folder in which one is made", async () => {
    using bench = permissionBench();
    const folder = dirname(bench.put("project/a.txt"));
    await grantsOf(bench.open({ onApproval: answering("always") })).ask("make", write(join(folder, "b")), signal);
    expect(grantsOf(bench.open()).known("make").length).toBe(1);
    bench.put("project/new/agent.mdx");
    expect(grantsOf(bench.open()).known("make")).toEqual([]);
  });
});

/** What the user is asked to show to a command that missed a path; "nothing" if nothing is asked. */
async function shownFor(
  bench: PermissionBench,
  path: string,
  options: Parameters<PermissionBench["open"]>[0] = {},
): Promise<SandboxAccess | "nothing"> {
  const grants = grantsOf(bench.open({ ...options, onApproval: answering("once") }));
  const answer = await grants.ask("make", read(path), signal);
  return answer && "access" in answer ? answer.access : "nothing";
}

const KEY = "-----BEGIN PRIVATE KEY-----\n";

describe("a command that missed what the sandbox hides", () => {
  test("is offered the file, or the folder and all in it", async () => {
    using bench = permissionBench();
    const file = bench.put("home/project/a.txt");
    expect(await shownFor(bench, file)).toEqual(read(file));
    expect(await shownFor(bench, dirname(file))).toEqual(read(dirname(file)));
    expect(bench.asked.map(({ reason, pattern }) => ({ reason, pattern }))).toEqual([
      { reason: `the sandbox hides ${file}`, pattern: `all commands to read ${file}` },
      { reason: `the sandbox hides ${dirname(file)}`, pattern: `all commands to read ${dirname(file)} and all in it` },
    ]);
  });

  test.each([
    [".ssh/id_ed25519", KEY, "a private key"],
    ["keys/deploy.pem", `some words\n${KEY}`, "a private key"],
    [".npmrc", "", "it may contain passwords, tokens or keys"],
    [".aws/credentials", "", "it may contain passwords, tokens or keys"],
    ["project/.env", "", "a file of variables, which may contain keys"],
    [".bash_history", "", "text that you typed in other programs, which may contain passwords"],
    [".mozilla/firefox/a/cookies.sqlite", "", "data of a browser or a mail program, such as cookies and passwords"],
  ])("is offered %s with its meaning in the question", async (place, text, meaning) => {
    using bench = permissionBench();
    const file = bench.put(`home/${place}`, text);
    expect(await shownFor(bench, file)).toEqual(read(file));
    expect(bench.asked[0]?.reason).toBe(`the sandbox hides ${file}: ${meaning}`);
  });

  test.each([
    ".config/mdx-ai/settings.yaml",
    ".local/state/mdx-ai/approvals/key",
    ".local/state/mdx-ai/session-key",
    ".cache/mdx-ai/x",
    "agents/other/sessions/main/journal.jsonl",
  ])("is offered nothing for %s, nor for its folder", async (place) => {
    using bench = permissionBench();
    if (place.startsWith("agents/")) bench.put("home/agents/other/agent.mdx");
    const file = bench.put(`home/${place}`);
    for (const environment of [{ HOME: bench.home }, { USERPROFILE: bench.home }]) {
      expect(await shownFor(bench, file, { environment })).toBe("nothing");
      expect(await shownFor(bench, dirname(file), { environment })).toBe("nothing");
    }
    expect(bench.asked).toEqual([]);
  });

  test("is offered nothing for what this program keeps elsewhere, nor for the records of its agent", async () => {
    using bench = permissionBench();
    const file = bench.put("home/state/mdx-ai/approvals/key");
    const environment = { HOME: bench.home, XDG_STATE_HOME: join(bench.home, "state") };
    expect(await shownFor(bench, file, { environment })).toBe("nothing");
    const dataDir = join(bench.home, "data");
    const journal = bench.put("home/data/sessions/main/journal.jsonl");
    for (const path of [journal, dirname(journal), dataDir])
      expect(await shownFor(bench, path, { dataDir })).toBe("nothing");
    expect(bench.asked).toEqual([]);
  });

  test("is offered no folder of secrets, and none with an agent in it", async () => {
    using bench = permissionBench();
    bench.put("home/.ssh/id");
    bench.put("home/.aws/cli/x");
    bench.put("home/agents/other/agent.mdx");
    for (const folder of [".ssh", ".aws/cli", "agents", "agents/other"]) {
      expect(await shownFor(bench, join(bench.home, folder))).toBe("nothing");
    }
    const file = bench.put("home/agents/other/data/a.txt");
    expect(await shownFor(bench, file)).toEqual(read(file));
  });

  test("is offered neither the home folder, nor what is not in it, a pipe, a link or what does not exist", async () => {
    using bench = permissionBench();
    const file = bench.put("home/a.txt");
    const [pipe, link] = [join(bench.home, "pipe"), join(bench.home, "link")];
    symlinkSync(file, link);
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
    symlinkSync(dirname(bench.put("elsewhere/b.txt")), join(bench.home, "way"));
    const others = [bench.path, bench.put("elsewhere/a.txt"), "/etc/shadow", "/proc/self/environ"];
    for (const path of [bench.home, pipe, link, join(bench.home, "way/b.txt"), join(bench.home, "absent"), ...others]) {
      expect(await shownFor(bench, path)).toBe("nothing");
    }
    expect(bench.asked).toEqual([]);
  });

  test.each([
    ["the user denies", (patterns: readonly string[]) => ({ user: { deny: patterns } })],
    [
      "the user's settings deny",
      (patterns: readonly string[]) => ({
        user: { settings: Object.fromEntries(patterns.map((pattern) => [pattern, "deny" as const])) },
      }),
    ],
    [
      "the directory denies",
      (patterns: readonly string[]) => ({
        settings: Object.fromEntries(patterns.map((pattern) => [pattern, "deny" as const])),
      }),
    ],
  ])("is offered nothing for what %s to read_file", async (_, denying) => {
    using bench = permissionBench();
    const file = bench.put("home/project/a.txt");
    const other = bench.put("home/notes/b.txt");
    const folder = dirname(file);
    for (const pattern of [`read_file(${file})`, `read_file(${folder}/**)`, "read_file"]) {
      expect(await shownFor(bench, file, denying([pattern]))).toBe("nothing");
    }
    expect(await shownFor(bench, folder, denying([`read_file(${folder}/**)`]))).toBe("nothing");
    expect(bench.asked).toEqual([]);
    expect(await shownFor(bench, other, denying([`read_file(${folder}/**)`]))).toEqual(read(other));
  });

  test("is asked about no other name of a file that the user has shown, and each name works", async () => {
    using bench = permissionBench();
    const file = bench.put("home/dotfiles/git");
    const [one, two] = [read(file, join(bench.home, ".gitconfig")), read(file, join(bench.home, "b"))];
    const grants = grantsOf(bench.open({ onApproval: answering("always") }));
    expect(await grants.ask("make", one, signal)).toEqual({ access: one, lasts: "always" });
    const later = grantsOf(bench.open({ onApproval: answering("no") }), "later");
    expect(later.known("make")).toEqual([{ access: one, lasts: "always" }]);
    expect(await later.ask("make", two, signal)).toEqual({ access: two, lasts: "always" });
    expect(bench.asked.length).toBe(1);
    expect(bench.asked[0]?.reason).toBe(`the sandbox hides ${file}, where ${bench.home}/.gitconfig leads`);
  });

  test("loses an earlier answer when the user denies it, when it is gone, and when its line is changed or removed", async () => {
    using bench = permissionBench();
    const file = bench.put("home/a.txt");
    await grantsOf(bench.open({ onApproval: answering("always") })).ask("make", read(file), signal);
    const known = (options = {}): number => grantsOf(bench.open(options)).known("make").length;
    expect(known()).toBe(1);
    expect(known({ user: { deny: [`read_file(${file})`] } })).toBe(0);
    const approvals = join(bench.approvalsDirectory, `${sha256(bench.agentDir)}.jsonl`);
    const line = readFileSync(approvals, "utf8");
    const secret = bench.put("home/.ssh/id");
    writeFileSync(approvals, line.replace(JSON.stringify(file), JSON.stringify(secret)));
    expect(known()).toBe(0);
    writeFileSync(approvals, line);
    expect(known()).toBe(1);
    rmSync(file);
    expect(known()).toBe(0);
    bench.put("home/a.txt");
    writeFileSync(approvals, "");
    expect(known()).toBe(0);
  });
});
