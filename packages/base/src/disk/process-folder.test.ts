import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type TemporaryDirectory, temporaryDirectory } from "../../../../test/support/temporary-directory.ts";

const PROGRAM = `import { makeProcessFolder } from ${JSON.stringify(join(import.meta.dir, "process-folder.ts"))};
  console.log(makeProcessFolder("work-"));
  await new Promise((resolve) => process.stdin.once("data", resolve));`;

interface Worker extends AsyncDisposable {
  /** Absolute. */
  readonly folder: string;
  kill(): Promise<void>;
}

/** A process that has made its folder and waits. */
async function worker({ path }: TemporaryDirectory): Promise<Worker> {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: path },
  });
  const { value } = await child.stdout.getReader().read();
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { folder: new TextDecoder().decode(value).trim(), kill, [Symbol.asyncDispose]: kill };
}

const namesIn = ({ path }: TemporaryDirectory): readonly string[] => readdirSync(path).sort();

test("the folder of a process is its user's alone and goes when another process makes one after its end", async () => {
  using directory = temporaryDirectory();
  mkdirSync(join(directory.path, "work-of-a-user"));
  await using first = await worker(directory);
  await using second = await worker(directory);
  expect(statSync(first.folder).mode & 0o777).toBe(0o700);
  expect(namesIn(directory)).toEqual([basename(first.folder), basename(second.folder), "work-of-a-user"].sort());
  writeFileSync(join(first.folder, "copy"), "");
  await first.kill();
  await using third = await worker(directory);
  expect(namesIn(directory)).toEqual([basename(second.folder), basename(third.folder), "work-of-a-user"].sort());
});

test("the folder of a process in another container stays", async () => {
  using directory = temporaryDirectory();
  await using ended = await worker(directory);
  await ended.kill();
  const name = join(ended.folder, ".process");
  writeFileSync(name, JSON.stringify({ ...JSON.parse(readFileSync(name, "utf8")), namespace: "pid:[1]" }));
  await using other = await worker(directory);
  expect(namesIn(directory)).toEqual([basename(ended.folder), basename(other.folder)].sort());
});
