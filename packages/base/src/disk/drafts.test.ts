import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { draftName, makeProcessFolder, makeTemporaryFolder, removeTempFiles } from "./drafts.ts";

const UUID = "5b0d0bd0-0000-4000-8000-000000000000";

/** What a process of this machine calls a draft. */
const leftBy = (pid: number, name: string): string => draftName(name).replace(`-${process.pid}-`, `-${pid}-`);

test("what processes that have ended left goes; what others still use stays", async () => {
  using directory = temporaryDirectory();
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  const own = draftName("own");
  const elsewhere = `elsewhere.abc-${dead.pid}-${UUID}.tmp`;
  for (const name of [own, leftBy(dead.pid, "left"), elsewhere, "journal.jsonl"])
    writeFileSync(join(directory.path, name), "");
  removeTempFiles(directory.path);
  expect(readdirSync(directory.path).sort()).toStrictEqual([elsewhere, "journal.jsonl", own].sort());
  utimesSync(join(directory.path, elsewhere), 0, 0);
  removeTempFiles(directory.path);
  expect(readdirSync(directory.path).sort()).toStrictEqual(["journal.jsonl", own].sort());
});

test("where users give names, none of theirs is taken for a draft", async () => {
  using directory = temporaryDirectory();
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  const name = leftBy(dead.pid, "job").replace(/\.tmp$/, "");
  for (const one of [name, leftBy(dead.pid, ".fork")]) mkdirSync(join(directory.path, one));
  removeTempFiles(directory.path, ".");
  expect(readdirSync(directory.path)).toEqual([name]);
});

test("the folder of a process is its user's alone and goes when another process makes one after its end", async () => {
  using directory = temporaryDirectory();
  const made = (): string[] => readdirSync(directory.path).sort();
  const program = `import { makeProcessFolder } from ${JSON.stringify(join(import.meta.dir, "drafts.ts"))};
    console.log(makeProcessFolder("work"));
    await new Promise((resolve) => process.stdin.once("data", resolve));`;
  const start = async (): Promise<{ readonly folder: string; kill(): Promise<void> }> => {
    const child = Bun.spawn([process.execPath, "-e", program], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: directory.path },
    });
    const { value } = await child.stdout.getReader().read();
    return {
      folder: new TextDecoder().decode(value).trim(),
      async kill() {
        child.kill("SIGKILL");
        await child.exited;
      },
    };
  };
  mkdirSync(join(directory.path, "work.of-a-user"));
  const first = await start();
  const second = await start();
  expect(statSync(first.folder).mode & 0o777).toBe(0o700);
  expect(made()).toEqual([basename(first.folder), basename(second.folder), "work.of-a-user"].sort());
  writeFileSync(join(first.folder, "copy"), "");
  await first.kill();
  const third = await start();
  expect(made()).toEqual([basename(second.folder), basename(third.folder), "work.of-a-user"].sort());
  await Promise.all([second.kill(), third.kill()]);
});

test("so does a folder of an earlier process with the same id, as in a container, but no folder of this one", () => {
  using directory = temporaryDirectory();
  const before = process.env["TMPDIR"];
  try {
    process.env["TMPDIR"] = directory.path;
    const earlier = join(directory.path, draftName("work"));
    mkdirSync(earlier);
    utimesSync(earlier, 0, 0);
    const made = [makeProcessFolder("work"), makeProcessFolder("work")];
    expect(readdirSync(directory.path).sort()).toEqual(made.map((path) => basename(path)).sort());
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});

test("a temporary folder is made elsewhere if the system's cannot be written", () => {
  const before = process.env["TMPDIR"];
  try {
    process.env["TMPDIR"] = "/nowhere/tmp";
    const folder = makeTemporaryFolder("mdx-ai-test-");
    expect(["/var/tmp", "/dev/shm"]).toContain(dirname(folder));
    expect(statSync(folder).mode & 0o077).toBe(0);
    rmSync(folder, { recursive: true });
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});
