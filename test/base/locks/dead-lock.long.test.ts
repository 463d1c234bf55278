import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const MODULE = join(import.meta.dir, "../../../packages/base/src/locks/with-lock.ts");

test("of processes that find the lock of a dead one, no two hold it at once, and it stays behind after none of them", async () => {
  using directory = temporaryDirectory();
  const program = `
    const { mkdirSync, rmdirSync } = await import("node:fs");
    const { tryLock } = await import(${JSON.stringify(MODULE)});
    for await (const round of console) {
      if (round === "") break;
      const path = ${JSON.stringify(directory.path)} + "/" + round;
      for (let time = 0; time < 3; time++) {
        const lock = tryLock(path);
        if (lock === undefined) continue;
        mkdirSync(path + ".held");
        rmdirSync(path + ".held");
        lock.release();
      }
      console.log(round);
    }
  `;
  const children = [1, 2, 3, 4].map(() =>
    Bun.spawn([process.execPath, "-e", program], { stdin: "pipe", stdout: "pipe", stderr: "inherit" }),
  );
  const lines = children.map(({ stdout }) => stdout.pipeThrough(new TextDecoderStream()).getReader());
  for (let round = 0; round < 800; round++) {
    writeFileSync(join(directory.path, String(round)), "the lock of a dead process");
    for (const { stdin } of children) {
      stdin.write(`${round}\n`);
      stdin.flush();
    }
    expect(await Promise.all(lines.map(async (reader) => (await reader.read()).value))).toStrictEqual(
      children.map(() => `${round}\n`),
    );
    expect(readdirSync(directory.path)).toStrictEqual([]);
  }
  for (const { stdin } of children) stdin.end();
  expect(await Promise.all(children.map(({ exited }) => exited))).toStrictEqual([0, 0, 0, 0]);
}, 60_000);
