import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { deleteSession, openStoredSession, SessionInUseError } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { lockSession } from "./session-folder.ts";
import { workMark } from "./session-key.ts";

/** Makes a session. Returns its key. */
function made(dataDir: string, id: string): string {
  const session = openStoredSession({
    directory: join(dataDir, "sessions"),
    id,
    clock: { now: () => 0 },
    onWarning: () => {},
  });
  session.close();
  return session.key;
}

test("a session is deleted with all in which agents worked for it, or none is while one of them is in use", () => {
  using agent = temporaryDirectory();
  const helper = join(agent.path, "state/agents/helper");
  const work = (key: string, part: string): string => `w${workMark(key)}${part}`;
  const first = work(made(agent.path, "main"), "0000000a");
  const second = first.replace("0000000a", "0000000b");
  const inner = work(made(helper, first), "0000000c");
  made(helper, second);
  const innerData = join(helper, "state/agents/inner");
  made(innerData, inner);
  const folders = [
    join(agent.path, "sessions/main"),
    join(helper, "sessions", first),
    join(helper, "sessions", second),
    join(innerData, "sessions", inner),
  ];
  const left = (): readonly boolean[] => folders.map((folder) => existsSync(folder));

  for (const [index, folder] of folders.entries()) {
    const lock = lockSession(join(folder, "lock"), String(index), 0);
    expect(() => deleteSession(agent.path, "main", 0)).toThrow(SessionInUseError);
    lock.release();
    expect(left()).toStrictEqual([true, true, true, true]);
  }
  deleteSession(agent.path, "main", 0);
  expect(left()).toStrictEqual([false, false, false, false]);
});
