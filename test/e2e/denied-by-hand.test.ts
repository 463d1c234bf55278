import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { agentDirectory } from "../support/agent-directory.ts";
import { writeText } from "../support/agent-files.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

describe("a tool that a person runs without a model", () => {
  const run = (home: string, directory: string) =>
    runCommandLine(["tool", directory, "bash", "command=echo it ran", "--trust"], { home });

  test("is not asked about", async () => {
    using home = temporaryDirectory();
    using directory = agentDirectory();
    expect(await run(home.path, directory.path)).toMatchObject({ exitCode: 0, stdout: "it ran\n" });
  });

  test("is not run where the user's settings deny it, and says so", async () => {
    using home = temporaryDirectory();
    using directory = agentDirectory();
    writeText(join(home.path, ".config/mdx-ai/settings.yaml"), 'permissions:\n  "bash(echo *)": deny\n');
    const { exitCode, stdout, stderr } = await run(home.path, directory.path);
    expect([exitCode, stdout]).toStrictEqual([1, ""]);
    expect(stderr).toContain("not run: the user's settings deny bash(echo *)");
  });
});
