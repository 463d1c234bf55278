import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStoredSession } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const LINKS = [
  { what: "sessions/", link: "sessions", isFolder: true },
  { what: "a session's folder", link: "sessions/main", isFolder: true },
  { what: "a journal", link: "sessions/main/journal.jsonl", isFolder: false },
  { what: "a history", link: "sessions/main/history.json", isFolder: false },
  { what: "a lock", link: "sessions/main/lock", isFolder: false },
  { what: "an archive", link: "sessions/main/archive", isFolder: true },
] as const;

test.each([...LINKS])(
  "$what that is a symbolic link is refused, and nothing is written where it leads",
  ({ link, isFolder }) => {
    using agent = temporaryDirectory();
    using elsewhere = temporaryDirectory();
    const target = isFolder ? elsewhere.path : join(elsewhere.path, "file");
    if (!isFolder) writeFileSync(target, "kept");
    mkdirSync(join(agent.path, link, ".."), { recursive: true });
    symlinkSync(target, join(agent.path, link));
    const before = readdirSync(elsewhere.path);
    const options = { directory: join(agent.path, "sessions"), id: "main", clock: Date, onWarning() {} };
    expect(() => openStoredSession(options)).toThrow(/is a symbolic link, which is not followed/);
    expect(readdirSync(elsewhere.path)).toStrictEqual(before);
  },
);

test("a link that leads nowhere is refused, too", () => {
  using agent = temporaryDirectory();
  symlinkSync(join(agent.path, "gone"), join(agent.path, "sessions"));
  const options = { directory: join(agent.path, "sessions"), id: "main", clock: Date, onWarning() {} };
  expect(() => openStoredSession(options)).toThrow(/is a symbolic link/);
});

test("an agent directory that is reached through a link keeps its sessions", () => {
  using agent = temporaryDirectory();
  using elsewhere = temporaryDirectory();
  symlinkSync(agent.path, join(elsewhere.path, "agent"));
  const directory = join(elsewhere.path, "agent", "sessions");
  openStoredSession({ directory, id: "main", clock: Date, onWarning() {} }).close();
  expect(readdirSync(join(agent.path, "sessions"))).toStrictEqual(["main"]);
});
