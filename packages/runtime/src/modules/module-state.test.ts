import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { ModuleStateFile } from "./module-state.ts";

test("two processes change the values of a module at the same time, and lose none", async () => {
  using folder = temporaryDirectory();
  const path = join(folder.path, "state/modules/one.json");
  const states = [new ModuleStateFile(path, false), new ModuleStateFile(path, false)];
  const changes = states.flatMap((state, at) => Array.from({ length: 10 }, (_, key) => state.set(`${at} ${key}`, key)));
  await Promise.all(changes);
  expect(await states[0]?.keys()).toHaveLength(20);
});

test("a value is a copy, and a file that is no longer readable is not replaced", async () => {
  using folder = temporaryDirectory();
  const path = join(folder.path, "state/modules/one.json");
  const state = new ModuleStateFile(path, true);
  const list = [1];
  await state.set("list", list);
  list.push(2);
  expect([await state.get("list"), await state.get("none")]).toEqual([[1], undefined]);
  const kept = new ModuleStateFile(path, false);
  await kept.set("a", 1);
  writeFileSync(path, "{");
  await expect(kept.set("b", 2)).rejects.toThrow("cannot be read");
  expect(await Bun.file(path).text()).toBe("{");
});
