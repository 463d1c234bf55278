import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMANDS } from "../support/cli/arguments.ts";
import { copyExamples } from "../support/example-copy.ts";
import { codeBlocks, codeSpans, tableRows } from "../support/markdown-text.ts";
import { type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");
const page = await Bun.file(join(ROOT, "docs/trust.md")).text();
const [trusting = "", locking = "", comparing = ""] = codeBlocks(page, "sh");
const [locked = "", compared = ""] = codeBlocks(page, "text");

/** Runs lines of the page in a shell, with `npx mdx-ai` standing for the program as it is here. */
async function run(lines: string, home: string): Promise<CliResult> {
  const program = cliCommand([])
    .map((word) => `'${word}'`)
    .join(" ");
  const child = Bun.spawn(["sh", "-uc", `npx() { shift; ${program} "$@"; }\n${lines}`], {
    cwd: home,
    env: cliEnvironment({ home }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

describe("docs/trust.md", () => {
  test("shows commands of trust that do what it says", async () => {
    using home = temporaryDirectory();
    copyExamples(join(home.path, "weather"), "weather");
    const { exitCode, stdout, stderr } = await run(trusting, home.path);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain("trust");
    const heads = [
      "Trusted: ",
      "Trusted with its edits: ",
      ", with its edits\n",
      "No longer trusted: ",
      "Vienna, Austria",
    ];
    for (const text of heads) expect(stdout).toContain(text);
  });

  test("shows what lock --check and diff print", async () => {
    using home = temporaryDirectory();
    copyExamples(join(home.path, "weather"), "weather");
    const check = await run(locking, home.path);
    expect(check.exitCode).toBe(1);
    expect(check.stdout.replace(/^Written: .*\n/, "")).toBe(locked);
    const diff = await run(comparing, home.path);
    expect(diff.exitCode).toBe(1);
    expect(diff.stdout.replace(/about .*? tokens/g, "about N tokens")).toBe(compared);
  });

  test("names every flag, and each word of a difference", () => {
    const options = COMMANDS.filter(({ name }) => ["trust", "lock", "diff"].includes(name)).flatMap(
      (command) => command.options,
    );
    expect(options.map(({ name }) => `--${name}`).filter((flag) => !page.includes(flag))).toStrictEqual([]);
    const words = tableRows(page, "| word |").map(([word = ""]) => word.replaceAll("`", ""));
    expect(words).toStrictEqual(["widened", "changed", "narrowed", "noted"]);
    expect(codeSpans(page)).toContain("agent.lock.json");
  });
});
