import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { AUTHOR_NAMES, AUTHOR_TYPES_FILE, authorTypesFile } from "../../../../scripts/author-types/author-types.ts";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { AUTHOR_TYPES } from "./author-types.ts";

const ROOT = join(import.meta.dir, "../../../..");

/** Assigns every type of the told ones to that of the runtime, and the other way round. */
const comparison = (told: string): string =>
  [
    `import type * as real from ${JSON.stringify(join(ROOT, "packages/cli/src/index.ts"))};`,
    `import type * as told from "${told}";`,
    ...AUTHOR_NAMES.flatMap((name) => [
      `export const ${name}Told = (value: real.${name}): told.${name} => value;`,
      `export const ${name}Real = (value: told.${name}): real.${name} => value;`,
      `export const ${name}Keys: keyof told.${name} extends keyof real.${name} ? keyof real.${name} extends keyof told.${name} ? true : false : false = true;`,
    ]),
  ].join("\n");

/** Types that lack a member, and have one of another type. */
const CHANGED = AUTHOR_TYPES.replace("  readonly access?: ToolAccess;\n", "").replace(
  "systemPrompt?(): string",
  "systemPrompt?(): number",
);

let complaints: readonly string[] = [];

// Both comparisons at once, since the compiler takes most of its time for the runtime.
beforeAll(async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, {
    "told.d.ts": AUTHOR_TYPES,
    "compare.ts": comparison("./told.d.ts"),
    "changed.d.ts": CHANGED,
    "compare-changed.ts": comparison("./changed.d.ts"),
    "tsconfig.json": JSON.stringify({
      extends: join(ROOT, "tsconfig.json"),
      compilerOptions: {
        isolatedDeclarations: false,
        declaration: false,
        typeRoots: [join(ROOT, "node_modules/@types")],
      },
      include: [],
      files: ["compare.ts", "compare-changed.ts"],
    }),
  });
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--pretty", "false", "--singleThreaded"];
  const child = Bun.spawn([process.execPath, compiler, "-p", home.path, ...flags], {
    cwd: home.path,
    stdio: ["ignore", "pipe", "inherit"],
  });
  complaints = (await child.stdout.text()).split("\n");
});

/** What the compiler says of a file, and of its settings. Mistakes of the runtime itself are for others to report. */
const complaintsAbout = (file: string): string =>
  complaints.filter((line) => line.startsWith(`${file}(`) || line.startsWith("error")).join("\n");

test("the file of types is what `npm run author-types` writes", async () => {
  expect(await Bun.file(AUTHOR_TYPES_FILE).text()).toBe(await authorTypesFile());
});

test("the types for authors match the runtime's, member by member", () => {
  expect(complaintsAbout("compare.ts")).toBe("");
});

test("a member that is missing or of another type would be seen", () => {
  expect(complaintsAbout("compare-changed.ts")).toContain("compare-changed.ts(17,");
  expect(complaintsAbout("compare-changed.ts")).toContain("compare-changed.ts(3,");
});
