import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastSession, newSession } from "@mdx-ai/runtime";
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
