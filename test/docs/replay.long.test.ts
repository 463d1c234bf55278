import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { copyExamples } from "../support/example-copy.ts";
import { codeBlocks, codeSpans } from "../support/markdown-text.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");
const page = await Bun.file(join(ROOT, "docs/replay.md")).text();

/** Runs lines of the page in a shell, with `npx mdx-ai` standing for the program as it is here; gives standard output. */
async function run(lines: string, home: string): Promise<string> {
  const program = cliCommand([])
    .map((word) => `'${word}'`)
    .join(" ");
  const child = Bun.spawn(["sh", "-uc", `npx() { shift; ${program} "$@"; }\n${lines}`], {
    cwd: home,
    env: cliEnvironment({ home }),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [output] = await Promise.all([child.stdout.text(), child.exited]);
  return output.replace(/\([\d.]+ m?s\)/g, "(time)");
}

describe("the page about replays", () => {
  test("shows what its commands print, one after the other", async () => {
    using home = temporaryDirectory();
    copyExamples(join(home.path, "examples/weather"), "weather");
    const commands = codeBlocks(page, "sh");
    const printed: string[] = [];
    for (const lines of commands) printed.push(await run(lines, home.path));
    expect(commands.length).toBeGreaterThan(4);
    expect(printed).toStrictEqual([...codeBlocks(page, "text")]);
  }, 300_000);

  test("names every field of the reports", async () => {
    const types = await Promise.all(
      ["played-prompt", "compare-model"].map((name) =>
        Bun.file(join(ROOT, `packages/cli/src/replay/${name}.ts`)).text(),
      ),
    );
    const reports = types.flatMap((text) => [...text.matchAll(/interface (?:\w+Prompt|\w+Report) \{\n[\s\S]*?\n\}/g)]);
    const fields = reports.flatMap(([text]) =>
      [...text.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = ""]) => name),
    );
    const told = new Set(codeSpans(page));
    const internal = ["number", "compared"];
    expect(fields.filter((name) => !told.has(name) && !internal.includes(name))).toEqual([]);
  });
});
