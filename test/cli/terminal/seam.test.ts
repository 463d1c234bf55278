import { expect, test } from "bun:test";
import { join } from "node:path";

const source = join(import.meta.dir, "../../../packages/cli/src");

test("the terminal library is known to the screen alone", async () => {
  const users: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(source)) {
    if (!path.endsWith(".test.ts") && (await Bun.file(join(source, path)).text()).includes("@earendil-works/pi-tui")) {
      users.push(path.replaceAll("\\", "/"));
    }
  }
  expect(users).not.toBeEmpty();
  expect(users.filter((path) => !path.startsWith("terminal/screen/"))).toEqual([]);
});
