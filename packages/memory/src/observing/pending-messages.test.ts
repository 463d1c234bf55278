import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { PendingMessages } from "./pending-messages.ts";

test("messages can be added at any moment while another process finishes the thread", async () => {
  using directory = temporaryDirectory();
  const other = Bun.spawn(
    [process.execPath, join(import.meta.dir, "../../../../test/support/memory-finishing-process.ts"), directory.path],
    {
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  await other.stdout.getReader().read();
  const pending = new PendingMessages(directory.path);
  const refused: unknown[] = [];
  for (let number = 1; number <= 500; number++) {
    try {
      pending.add("talk", number, [{ role: "user", content: "Hello" }]);
    } catch (error) {
      refused.push(error);
    }
  }
  const isAlive = other.exitCode === null;
  other.kill();
  await other.exited;
  expect(refused).toStrictEqual([]);
  expect(isAlive).toBe(true);
});
