import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { listSessions } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import type { SessionInfo } from "./protocol.ts";
import { SessionFolders } from "./session-folders.ts";

const info = (key: string, title?: string): SessionInfo => ({
  key,
  created: 1,
  ...(title !== undefined && { title }),
});

const queued = (text: string) => ({ v: 1, prompt: 0, step: "queue:1", result: { text } }) as const;

test("folders that were not used for longest are removed beyond a limit, and come back whole", () => {
  using directory = temporaryDirectory();
  const folders = new SessionFolders(directory.path, 3);
  for (const id of ["a", "b", "c", "d"]) folders.add(id, info(id), { next: 1, lines: [queued(id)] });
  expect(folders.has("a", info("a"), 1)).toBe(true);
  expect(readdirSync(join(directory.path, "sessions")).sort()).toEqual(["a", "b", "c", "d"]);
  folders.trim();
  expect(readdirSync(join(directory.path, "sessions")).sort()).toEqual(["a", "c", "d"]);
  expect([...folders.ids]).toEqual(["c", "d", "a"]);
  expect(folders.nextOf("b", info("b"))).toBe(0);
  expect(folders.nextOf("a", info("a"))).toBe(1);
  folders.add("b", info("b", "title"), { next: 2, lines: [queued("b"), queued("b")] });
  expect(folders.has("b", info("b"), 2)).toBe(false);
  expect(folders.has("b", info("b", "title"), 2)).toBe(true);
  folders.trim();
  expect(
    listSessions(directory.path)
      .sessions.map(({ id }) => id)
      .sort(),
  ).toEqual(["a", "b", "d"]);
});
