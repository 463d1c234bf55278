import { describe, expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockEntries, lockText, readLock } from "@mdx-ai/directory/lock";
import { readAgentDirectory } from "@mdx-ai/parser";
import { GREETING_AGENT, writeFiles } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("a lock file is refused", () => {
  test.each([
    ["for an effect that there is not, which nothing would be wider than", '"allows"', '"maybe"'],
    ["for an older version", '"version": 1', '"version": 0'],
    ["for an entry without a kind", '"kind":', '"sort":'],
    ["for entries that are no list", '"entries": [', '"other": ['],
  ])("%s", async (_title, from, to) => {
    using folder = temporaryDirectory();
    const lock = await lockEntries(await readAgentDirectory(writeFiles(folder.path, { "agent.mdx": GREETING_AGENT })));
    const file = join(folder.path, "agent.lock.json");
    writeFileSync(file, lockText(lock));
    expect(new Set(readLock(file))).toEqual(new Set(lock));
    writeFileSync(file, lockText(lock).replace(from, to));
    expect(() => readLock(file)).toThrow("is not a lock file;");
  });

  test("if a newer version wrote it, with what to do", () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "agent.lock.json");
    writeFileSync(file, '{"version":2}');
    expect(() => readLock(file)).toThrow(`${file} was written by a newer version of mdx-ai; update mdx-ai`);
  });

  test("if a pipe has its name, without waiting for a writer", () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "agent.lock.json");
    Bun.spawnSync(["mkfifo", file]);
    expect(() => readLock(file)).toThrow("cannot read");
  });

  test.skipIf(process.platform !== "linux")("where it leads to a device or a file without end", () => {
    using folder = temporaryDirectory();
    const [device, endless] = [join(folder.path, "device"), join(folder.path, "endless")];
    symlinkSync("/dev/zero", device);
    symlinkSync("/proc/self/pagemap", endless);
    expect(() => readLock(device)).toThrow("cannot read");
    expect(() => readLock(endless)).toThrow("more than 64 megabytes");
  });
});
