import { expect, test } from "bun:test";
import { sessionLogName } from "@mdx-ai/sessions";

const TIME = Date.parse("2026-11-21T09:00:00.000Z");

test("a session's log is named after it, and one that was set aside after the time, too", () => {
  expect(sessionLogName("main")).toBe("main.jsonl");
  expect(sessionLogName("Grüße.2_a-b")).toBe("Grüße.2_a-b.jsonl");
  expect(sessionLogName("main", TIME)).toBe("main@2026-11-21T09-00-00.000Z.jsonl");
});

test("the longest ids have names that every file system takes, each its own", () => {
  const ids = ["ü".repeat(127), `${"ü".repeat(126)}u`, "😀".repeat(63), "a".repeat(128)];
  const names = ids.flatMap((id) => [sessionLogName(id), sessionLogName(id, TIME)]);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
});
