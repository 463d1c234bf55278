import { describe, expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeLock, readLock } from "@mdx-ai/directory/lock";
import { readAgentDirectory } from "@mdx-ai/parser";
import { GREETING_AGENT, writeFiles } from "../../../support/agent-files.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";

describe("a lock file is refused", () => {
  test.each([
    ["for an action that there is not, which nothing would be wider than", { permissions: [["bash", "maybe"]] }],
    ["for an older version", { version: 0 }],
    ["for a sandbox of an unknown mode", { sandbox: { mode: "open" } }],
    ["for a network that is no list", { sandbox: { network: 5 } }],
  ])("%s", async (_title, changes) => {
    using folder = temporaryDirectory();
    const lock = await makeLock(await readAgentDirectory(writeFiles(folder.path, { "agent.mdx": GREETING_AGENT })));
    const file = join(folder.path, "agent.lock.json");
    writeFileSync(file, JSON.stringify(lock));
    expect(readLock(file)).toEqual(lock);
    writeFileSync(file, JSON.stringify({ ...lock, ...changes }));
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
