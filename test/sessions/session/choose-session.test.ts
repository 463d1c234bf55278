import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deleteSession, lastSession, newSession, renameSession, verifySessions } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const noon = new Date(2026, 3, 28, 12).getTime();

const has = (agentDir: string, ...ids: readonly string[]): void => {
  for (const id of ids) mkdirSync(join(agentDir, "sessions", id), { recursive: true });
};

describe("a new session", () => {
  test("is named after the local day and a number, and has its folder", () => {
    using agent = temporaryDirectory();
    expect([newSession(agent.path, noon), newSession(agent.path, noon)]).toStrictEqual([
      "2026-04-28_1",
      "2026-04-28_2",
    ]);
    expect(readdirSync(join(agent.path, "sessions")).sort()).toStrictEqual([".ids", "2026-04-28_1", "2026-04-28_2"]);
    const midnight = new Date(2026, 3, 29).getTime();
    expect([newSession(agent.path, midnight - 1), newSession(agent.path, midnight)]).toStrictEqual([
      "2026-04-28_3",
      "2026-04-29_1",
    ]);
  });

  test("comes after 9 with 10, and after any number that the day has had", () => {
    using agent = temporaryDirectory();
    has(agent.path, "2026-04-28_2", "2026-04-28_9", "2026-04-28_x", "2026-04-27_50", "main");
    expect([newSession(agent.path, noon), newSession(agent.path, noon)]).toStrictEqual([
      "2026-04-28_10",
      "2026-04-28_11",
    ]);
  });

  test("passes over a name that something else has", () => {
    using agent = temporaryDirectory();
    has(agent.path);
    mkdirSync(join(agent.path, "sessions"), { recursive: true });
    writeFileSync(join(agent.path, "sessions", "2026-04-28_1"), "");
    expect(newSession(agent.path, noon)).toBe("2026-04-28_2");
  });

  test("is not made where sessions lead elsewhere", () => {
    using agent = temporaryDirectory();
    using elsewhere = temporaryDirectory();
    symlinkSync(elsewhere.path, join(agent.path, "sessions"));
    expect(() => newSession(agent.path, noon)).toThrow(/symbolic link/);
    expect(readdirSync(elsewhere.path)).toStrictEqual([]);
  });
});

describe("the id of a session that is gone", () => {
  const record = (agentDir: string): string => join(agentDir, "sessions/.ids");

  test("is not given again, whether that was deleted or renamed, made here or named by its user", () => {
    using agent = temporaryDirectory();
    expect([newSession(agent.path, noon), newSession(agent.path, noon)]).toStrictEqual([
      "2026-04-28_1",
      "2026-04-28_2",
    ]);
    deleteSession(agent.path, "2026-04-28_2", 0);
    expect(newSession(agent.path, noon)).toBe("2026-04-28_3");
    renameSession(agent.path, { from: "2026-04-28_3", to: "work", now: 0 });
    expect(newSession(agent.path, noon)).toBe("2026-04-28_4");
    has(agent.path, "2026-04-28_8", "2026-04-28_9");
    deleteSession(agent.path, "2026-04-28_9", 0);
    renameSession(agent.path, { from: "2026-04-28_8", to: "play", now: 0 });
    expect(newSession(agent.path, noon)).toBe("2026-04-28_10");
    expect(statSync(record(agent.path)).mode & 0o777).toBe(0o600);
  });

  test("is an existing session if the record is missing or damaged, and a half line of it harms none", () => {
    using agent = temporaryDirectory();
    has(agent.path, "2026-04-28_4");
    expect(newSession(agent.path, noon)).toBe("2026-04-28_5");
    rmSync(record(agent.path));
    expect(newSession(agent.path, noon)).toBe("2026-04-28_6");
    writeFileSync(record(agent.path), "\0\u0001\xff\n2026-04-28_7 x\ngarbage\n2026-04-2");
    expect(newSession(agent.path, noon)).toBe("2026-04-28_8");
    deleteSession(agent.path, "2026-04-28_8", 0);
    expect(newSession(agent.path, noon)).toBe("2026-04-28_9");
  });

  test.each<[name: string, make: (path: string) => void]>([
    ["a folder", (path) => mkdirSync(path)],
    ["a link", (path) => symlinkSync("/dev/null", path)],
  ])("counts as it did before the record where %s has its name, which verify reports", async (_name, make) => {
    using agent = temporaryDirectory();
    has(agent.path, "2026-04-28_4");
    make(record(agent.path));
    expect([newSession(agent.path, noon), newSession(agent.path, noon)]).toStrictEqual([
      "2026-04-28_5",
      "2026-04-28_6",
    ]);
    deleteSession(agent.path, "2026-04-28_6", 0);
    const { folder } = await verifySessions(agent.path, { now: 0, isCheck: true });
    expect(folder.found).toContain(`${record(agent.path)} is not a file: ids may be used again`);
  });

  test("is skipped where a process was killed between its claim and the folder", () => {
    using agent = temporaryDirectory();
    has(agent.path, "2026-04-28_1");
    writeFileSync(record(agent.path), "2026-04-28_2 6a1d2f8e\n");
    expect(newSession(agent.path, noon)).toBe("2026-04-28_3");
  });

  test("is given to one of several processes that make and delete sessions at once, and never again", async () => {
    using agent = temporaryDirectory();
    const processes = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, join(import.meta.dir, "../../support/new-sessions-process.ts"), agent.path], {
        stdout: "pipe",
        stderr: "inherit",
      }),
    );
    const texts = await Promise.all(processes.map(({ stdout }) => stdout.text()));
    const ids = texts.flatMap((text) => text.trim().split("\n"));
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(100);
  });
});

describe("the last session", () => {
  test("is the one whose journal was written last", () => {
    using agent = temporaryDirectory();
    has(agent.path, "old", "newest", "empty", ".deleted-x");
    for (const [id, time] of [
      ["old", 1000],
      ["newest", 2000],
      [".deleted-x", 3000],
    ] as const) {
      const journal = join(agent.path, "sessions", id, "journal.jsonl");
      writeFileSync(journal, "");
      utimesSync(journal, time, time);
    }
    expect(lastSession(agent.path)).toBe("newest");
  });

  test("is none where there are no sessions, or none was used", () => {
    using agent = temporaryDirectory();
    expect(lastSession(agent.path)).toBeUndefined();
    has(agent.path, "empty");
    expect(lastSession(agent.path)).toBeUndefined();
  });
});
