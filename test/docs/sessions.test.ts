import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMANDS } from "../support/cli/arguments.ts";
import { codeSpans } from "../support/markdown-text.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/sessions.md")).text();

describe("the page on sessions", () => {
  test("names all that can be done with sessions on the command line, with flags that there are", async () => {
    const spec = COMMANDS.find(({ name }) => name === "sessions");
    const actions = [...(spec?.positionals ?? "").matchAll(/(\w+) \[?ID/g)].map(([, name]) => name);
    const named = [...page.matchAll(/^\| `mdx-ai sessions DIR (\w+) ID/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(actions.sort());
    const flags = codeSpans(page).filter((text) => text.startsWith("--"));
    const options = COMMANDS.flatMap(({ options }) => options.map(({ name }) => `--${name}`));
    expect(flags.filter((flag) => !options.includes(flag.split(" ")[0] ?? ""))).toEqual([]);
  });

  test("is right on what is not there", async () => {
    using home = temporaryDirectory();
    await Bun.write(join(home.path, "agent.mdx"), "# Agent: A\n\n## Purpose\n\nBe.\n");
    for (const args of [
      ["sessions", ".", "show", "x"],
      ["trace", ".", "--session", "x"],
    ]) {
      expect(await runCommandLine(args, { home: home.path })).toMatchObject({ exitCode: 1 });
    }
  });
});
