import { expect, test } from "bun:test";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkSessionId, listSessions, SessionIdError, verifySessions } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { compareIds } from "./session-folder.ts";

test.each(["main", "work-2", "2026-02-08_10", "über", "日本語", "a.b", "x".repeat(128)])("%p is a session id", (id) => {
  expect(() => checkSessionId(id)).not.toThrow();
});

test.each([
  ["", "empty"],
  ["../x", "a way out of the folder"],
  ["..", "the folder above"],
  [".", "the folder itself"],
  [".hidden", "a hidden name"],
  ["a/b", "a slash"],
  ["a\\b", "a backslash"],
  ["a b", "a blank"],
  ["a\0b", "a null character"],
  ["a\nb", "a newline"],
  ["a:b", "a colon"],
  ["con", "a device of Windows"],
  ["NUL.txt", "a device of Windows with an ending"],
  ["com1", "a port of Windows"],
  ["name.", "a dot at the end"],
  ["x".repeat(129), "over 128 characters"],
  ["日".repeat(100), "over 255 bytes"],
])("%p is refused as a session id: %s", (id) => {
  expect(() => checkSessionId(id)).toThrow(SessionIdError);
});

const IN_ORDER = [
  "2026-04-27_50",
  "2026-04-28_2",
  "2026-04-28_9",
  "2026-04-28_010",
  "2026-04-28_10",
  "Main",
  "a-2b",
  "a-10a",
];

test("ids are sorted by the numbers within them, so that 10 comes after 9, and each has its one place", () => {
  expect(IN_ORDER.toReversed().toSorted(compareIds)).toStrictEqual(IN_ORDER);
  for (const one of IN_ORDER) {
    for (const other of IN_ORDER) {
      expect(Math.sign(compareIds(one, other))).toBe(Math.sign(IN_ORDER.indexOf(one) - IN_ORDER.indexOf(other)));
    }
  }
});

test("sessions that were used at the same time are listed so, and all are verified so", async () => {
  using agent = temporaryDirectory();
  const ids = ["2026-04-28_9", "2026-04-28_10", "2026-04-28_11"];
  for (const id of ids.toReversed()) {
    const folder = join(agent.path, "sessions", id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "journal.jsonl"), "");
    utimesSync(join(folder, "journal.jsonl"), 1000, 1000);
  }
  expect(listSessions(agent.path).sessions.map(({ id }) => id)).toStrictEqual(ids);
  const { sessions } = await verifySessions(agent.path, { now: Date.now(), isCheck: true });
  expect(sessions.map(({ id }) => id)).toStrictEqual(ids);
});
