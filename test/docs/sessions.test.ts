import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

describe("the page on sessions", () => {
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
