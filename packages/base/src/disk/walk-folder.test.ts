import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { walkFolder } from "./walk-folder.ts";

test("folders far below each other are not read: closing the last one would take a mount for each", () => {
  using directory = temporaryDirectory();
  mkdirSync(join(directory.path, "d/".repeat(300)), { recursive: true });
  let entries = 0;
  const unread = walkFolder(directory.path, () => {
    entries += 1;
    return true;
  });
  expect(unread).toStrictEqual([join(directory.path, "d/".repeat(100)).replace(/\/$/, "")]);
  expect(entries).toBe(101);
});
