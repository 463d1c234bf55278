import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkImports } from "../../scripts/imports/check-imports.ts";

let root = "";

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "mdx-ai-imports-"));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

/** The names of the rules that a tree breaks. */
async function broken(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  for (const [file, code] of Object.entries(files)) {
    const path = join(root, "packages", file);
    await mkdir(dirname(path), { recursive: true });
    await Bun.write(path, `${code}\nexport const one = 1;\nexport interface Type {}\n`);
  }
  return checkImports(root).complaints.map((complaint) => complaint.split(" ")[1]?.replace(":", "") ?? "");
}

const roomWays = [
  ["a value", 'import { one } from "../open/open.ts";'],
  ["a type", 'import type { Type } from "../open/open.ts";'],
  ["a type handed on", 'export type { Type } from "../open/open.ts";'],
  ["everything handed on", 'export * from "../open/open.ts";'],
  ["a type in a type", 'export const made = (given: import("../open/open.ts").Type): unknown => given;'],
  ["a value when it is needed", 'export const made = (): unknown => import("../open/open.ts");'],
] as const;

test.each(roomWays)("two folders that import each other form a cycle: %s", async (_, code) => {
  const files = {
    "models/src/open/open.ts": "",
    "models/src/open/ask.ts": 'import { one } from "../wire/wire.ts";',
    "models/src/wire/wire.ts": "",
    "models/src/wire/read.ts": code,
  };
  expect(await broken(files)).toEqual(["no-room-circles"]);
});

test("the circle is shown with the imports that make it", async () => {
  await broken({
    "directory/src/opening/open.ts": 'import type { Type } from "../trust.ts";\n',
    "directory/src/trust.ts": '\nimport type { Type } from "./reading/read.ts";',
    "directory/src/reading/read.ts": 'import type { Type } from "../opening/late.ts";',
    "directory/src/opening/late.ts": "",
  });
  expect(checkImports(root).complaints).toEqual([
    "directory/opening no-room-circles: directory/opening" +
      " -> directory/trust (packages/directory/src/opening/open.ts:1)" +
      " -> directory/reading (packages/directory/src/trust.ts:2)" +
      " -> directory/opening (packages/directory/src/reading/read.ts:1)",
  ]);
});

test("files of one folder that import each other form a cycle, also with a dynamic import", async () => {
  const files = {
    "models/src/wire/wire.ts": 'export const made = (): unknown => import("./read.ts");',
    "models/src/wire/read.ts": 'import type { Type } from "./wire.ts";',
  };
  expect(await broken(files)).toEqual(["no-circles"]);
});

test("folders of one name in two packages are different, and files of one folder may import each other", async () => {
  const files = {
    "runtime/src/trace/read.ts": 'import "./write.ts";\nimport "../../../models/src/trace/read.ts";',
    "runtime/src/trace/write.ts": "",
    "models/src/trace/read.ts": 'import "../other/other.ts";',
    "models/src/other/other.ts": "",
  };
  expect(await broken(files)).toEqual([]);
});

const directions = [
  ["cli", "directory", []],
  ["server", "directory", []],
  ["directory", "runtime", []],
  ["directory", "memory", []],
  ["memory", "models", []],
  ["runtime", "parser", []],
  ["directory", "cli", ["packages-import-below"]],
  ["runtime", "directory", ["packages-import-below"]],
  ["memory", "runtime", ["packages-import-below"]],
  ["runtime", "tools", []],
  ["tools", "permissions", []],
  ["sessions", "permissions", ["packages-import-below"]],
  ["permissions", "sandbox", []],
  ["sandbox", "permissions", ["packages-import-below"]],
  ["loop", "sandbox", ["packages-import-below"]],
  ["models", "parser", ["packages-import-below"]],
  ["parser", "models", ["packages-import-below"]],
  ["newcomer", "models", ["packages-in-layers"]],
] as const;

test.each(directions)("%s may import %s, except for %j", async (from, to, rules) => {
  const files = {
    [`${from}/src/from.ts`]: `import type { Type } from "../../${to}/src/index.ts";`,
    [`${to}/src/index.ts`]: "",
  };
  expect(await broken(files)).toEqual([...rules]);
});

const loopImports = [
  ["node:fs", ["loop-knows-steps"]],
  ["./decide.ts", []],
] as const;

test.each(loopImports)("the loop may import %s, except for %j", async (specifier, rules) => {
  const files = {
    "loop/src/loop.ts": `import type {} from "${specifier}";`,
    "loop/src/decide.ts": "",
  };
  expect(await broken(files)).toEqual([...rules]);
});
