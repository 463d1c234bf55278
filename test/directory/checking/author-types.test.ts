import { expect, test } from "bun:test";
import { join } from "node:path";
import { AUTHOR_TYPES } from "../../../packages/directory/src/checking/author-types.ts";
import { AUTHOR_NAMES, AUTHOR_TYPES_FILE, authorTypesFile } from "../../../scripts/author-types/author-types.ts";
import { writeFiles } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../../..");

/** What the compiler says of types told in one file and real in the other, each of which must do for the other. */
async function compare(told: string): Promise<string> {
  using home = temporaryDirectory();
  const lines = AUTHOR_NAMES.flatMap((name) => [
    `export const ${name}Told = (value: real.${name}): told.${name} => value;`,
    `export const ${name}Real = (value: told.${name}): real.${name} => value;`,
    `export const ${name}Keys: keyof told.${name} extends keyof real.${name} ? keyof real.${name} extends keyof told.${name} ? true : false : false = true;`,
  ]);
  const entry = join(ROOT, "packages/cli/src/index.ts");
  const imports = [`import type * as real from ${JSON.stringify(entry)};`, 'import type * as told from "./told.d.ts";'];
  writeFiles(home.path, {
    "told.d.ts": told,
    "compare.ts": [...imports, ...lines].join("\n"),
    "tsconfig.json": JSON.stringify({
      extends: join(ROOT, "tsconfig.json"),
      compilerOptions: {
        isolatedDeclarations: false,
        declaration: false,
        typeRoots: [join(ROOT, "node_modules/@types")],
      },
      include: [],
      files: ["compare.ts"],
    }),
  });
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const child = Bun.spawn([process.execPath, compiler, "-p", home.path, "--noEmit", "--pretty", "false"], {
    cwd: home.path,
    stdio: ["ignore", "pipe", "inherit"],
  });
  // What is wrong with the runtime itself is told by others.
  return (await child.stdout.text()).match(/^(?:compare\.ts|error).*$/gm)?.join("\n") ?? "";
}

test("the file of types is what `npm run author-types` writes", async () => {
  expect(await Bun.file(AUTHOR_TYPES_FILE).text()).toBe(await authorTypesFile());
});

test("the types that authors are given are those of the runtime, member by member", async () => {
  expect(await compare(AUTHOR_TYPES)).toBe("");
});

test("a member that is missing or of another type would be seen", async () => {
  expect(await compare(AUTHOR_TYPES.replace("  readonly access?: ToolAccess;\n", ""))).toContain("compare.ts(17,");
  expect(await compare(AUTHOR_TYPES.replace("systemPrompt(): string", "systemPrompt(): number"))).toContain(
    "compare.ts(3,",
  );
});
