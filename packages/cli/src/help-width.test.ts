import { expect, test } from "bun:test";
import { runCommandLine } from "../../../test/support/run-command-line.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { COMMANDS } from "./command-table/command-table.ts";

test.each([60, 80])("the help of every command fits into %d columns", async (columns) => {
  using home = temporaryDirectory();
  const options = { home: home.path, environment: { COLUMNS: String(columns) } };
  const wide: string[] = [];
  for (const words of [["--help"], ...COMMANDS.map(({ name }) => [name, "--help"])]) {
    const { stdout } = await runCommandLine(words, options);
    wide.push(...stdout.split("\n").filter((line) => Bun.stringWidth(line) > columns));
  }
  expect(wide).toEqual([]);
});

test("a command line of an example that is too long continues as in a shell", async () => {
  using home = temporaryDirectory();
  const { stdout } = await runCommandLine(["sessions", "--help"], { home: home.path, environment: { COLUMNS: "60" } });
  expect(stdout).toContain("  mdx-ai sessions my-agent export main --format html \\\n    --output main.html\n");
});
