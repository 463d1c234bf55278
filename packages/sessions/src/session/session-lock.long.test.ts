import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { SessionInUseError } from "@mdx-ai/sessions";
import { eventually } from "../../../../test/support/eventually.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { keepLease, lockHolder } from "../../../base/src/locks/file-lock.ts";
import { lockSession } from "./session-folder.ts";

test("a lock is held until it is released, and leaves no file", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "lock");
  const lock = lockSession(path, "main", 0);
  expect(() => lockSession(path, "main", 0)).toThrow(SessionInUseError);
  expect(() => lockSession(path, "main", 0)).toThrow(
    `session main is in use by process ${process.pid} since 1970-01-01T00:00:00Z`,
  );
  expect(readdirSync(directory.path)).toEqual(["lock"]);
  lock.release();
  expect(readdirSync(directory.path)).toEqual([]);
  lockSession(path, "main", 0).release();
});

test("the lock of a dead process is taken over", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "lock");
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  writeFileSync(path, JSON.stringify({ pid: dead.pid, since: "2026-01-01T00:00:00.000Z" }));
  const lock = lockSession(path, "main", 0);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid });
  lock.release();
});

test.each(["", "garbage", "{}", '{"pid":"x","since":1}'])("a lock that holds %p is taken over", (text) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "lock");
  writeFileSync(path, text);
  lockSession(path, "main", 0).release();
  expect(existsSync(path)).toBe(false);
});

test("of many processes that find a dead lock, one takes it", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "lock");
  writeFileSync(path, "garbage");
  const program = `
    const { lockSession } = await import(${JSON.stringify(join(import.meta.dir, "session-folder.ts"))});
    try { lockSession(${JSON.stringify(path)}, "main", Date.now()); console.log("held"); await Bun.stdin.text(); } catch (error) { console.log(error.name); }
  `;
  const processes = Array.from({ length: 6 }, () =>
    Bun.spawn([process.execPath, "-e", program], { stdin: "pipe", stdout: "pipe" }),
  );
  const firstLines = await Promise.all(
    processes.map(async (child) => {
      const { value } = await child.stdout.getReader().read();
      return new TextDecoder().decode(value).trim();
    }),
  );
  for (const child of processes) child.stdin.end();
  await Promise.all(processes.map((child) => child.exited));
  expect(firstLines.toSorted()).toEqual([...Array.from({ length: 5 }, () => "SessionInUseError"), "held"]);
});

const linuxOnly = test.skipIf(process.platform !== "linux");

linuxOnly("the lock of an earlier process is taken over, though its number is used again, even by this process", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "lock");
  for (const pid of [process.pid, process.ppid]) {
    writeFileSync(path, JSON.stringify({ pid, birth: "another boot/1", since: "2026-01-01T00:00:00.000Z" }));
    lockSession(path, "main", 0).release();
    expect(existsSync(path)).toBe(false);
  }
});

linuxOnly("a process that has ended holds no lock while its parent has not asked for its end", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "lock");
  // The shell becomes a program that never asks for the ends of children, before the child ends.
  const parent = Bun.spawn(["sh", "-c", "sleep 0.3 & echo $!; exec sleep 30"], { stdout: "pipe" });
  try {
    const { value } = await parent.stdout.getReader().read();
    const pid = Number(new TextDecoder().decode(value));
    await eventually(() => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "));
    writeFileSync(path, JSON.stringify({ pid, since: "2026-01-01T00:00:00.000Z" }));
    lockSession(path, "main", 0).release();
  } finally {
    parent.kill("SIGKILL");
    await parent.exited;
  }
});

test("a lock whose folder has gone is given back without a throw", () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, "main");
  mkdirSync(folder);
  const lock = lockSession(join(folder, "lock"), "main", 0);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "a file where a folder was");
  lock.release();
});

const HERE = { host: hostname(), namespace: namespaceHere() };
const MINUTE = 60_000;

function namespaceHere(): string | undefined {
  return process.platform === "linux" ? readlinkSync("/proc/self/ns/pid") : undefined;
}

/** Writes a lock whose holder gave its last sign of life so many milliseconds ago. */
function writeLock(path: string, holder: object, age: number): void {
  writeFileSync(path, JSON.stringify({ pid: 1, since: "2026-04-28T10:00:00.000Z", ...holder }));
  const time = (Date.now() - age) / 1000;
  utimesSync(path, time, time);
}

describe("a holder that cannot be looked at", () => {
  test.each([
    ["on another host", { ...HERE, host: "elsewhere" }, "process 1 since 2026-04-28T10:00:00Z on host elsewhere"],
    [
      "in another container",
      { ...HERE, namespace: "pid:[1]" },
      "process 1 since 2026-04-28T10:00:00Z in another container",
    ],
  ])("%s holds its lock as long as it gives signs of life", (_name, holder, text) => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "lock");
    writeLock(path, holder, MINUTE / 2);
    expect(() => lockSession(path, "main", 0)).toThrow(text);
    expect(lockHolder(path)?.pid).toBe(1);
    writeLock(path, holder, 2 * MINUTE);
    expect(lockHolder(path)).toBeUndefined();
    lockSession(path, "main", 0).release();
    expect(readdirSync(directory.path)).toEqual([]);
  });

  linuxOnly("on this host is one that the number of its process is looked up for, however old its lock is", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "lock");
    writeLock(path, { ...HERE, pid: process.ppid }, 100 * MINUTE);
    expect(() => lockSession(path, "main", 0)).toThrow(SessionInUseError);
  });
});

test("signs of life move the time of a lock on, and change nothing else", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "lock");
  writeLock(path, {}, MINUTE);
  const text = readFileSync(path, "utf8");
  const before = statSync(path).mtimeMs;
  const end = keepLease(path, text, 5);
  try {
    await eventually(() => expect(statSync(path).mtimeMs - before).toBeGreaterThan(MINUTE / 2));
    expect(readFileSync(path, "utf8")).toBe(text);
    // As another process takes a lock: with a new file, since a sign of life may be on its way into the old one.
    rmSync(path);
    writeLock(path, { pid: 2 }, MINUTE);
    const other = statSync(path).mtimeMs;
    await Bun.sleep(50);
    expect(statSync(path).mtimeMs).toBe(other);
  } finally {
    end();
  }
});

test("the holder of a lock gives signs of life all the time", async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "lock");
  const lock = lockSession(path, "main", 0);
  try {
    const old = (Date.now() - MINUTE) / 1000;
    utimesSync(path, old, old);
    await eventually(() => expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(MINUTE / 2));
    expect(lock.isHeld()).toBe(true);
  } finally {
    lock.release();
  }
});

test("a holder sees that its lock was lost, and does not give back what is another one's", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "lock");
  const lock = lockSession(path, "main", 0);
  expect(lock.isHeld()).toBe(true);
  writeLock(path, { ...HERE, host: "elsewhere" }, 0);
  expect(lock.isHeld()).toBe(false);
  lock.release();
  expect(existsSync(path)).toBe(true);
  rmSync(path);
  expect(lock.isHeld()).toBe(false);
});
