import { expect, test } from "bun:test";
import { checkSessionId, SessionIdError } from "../../../packages/runtime/src/session/session-id.ts";

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
