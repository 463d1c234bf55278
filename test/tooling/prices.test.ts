import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");

test("the table of prices is what its script makes of the installed lists of models", async () => {
  using folder = temporaryDirectory();
  const made = join(folder.path, "prices.json");
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts/prices.ts"), made], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect([await child.exited, await child.stderr.text()]).toEqual([0, ""]);
  const kept = Bun.file(join(ROOT, "packages/models/src/prices/prices.json"));
  expect(await Bun.file(made).text()).toBe(await kept.text());
});
