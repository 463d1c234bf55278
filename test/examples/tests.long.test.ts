import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../../examples");
const agents = readdirSync(ROOT).filter((name) => existsSync(join(ROOT, name, "agent.mdx")));

describe("the tests of the example", () => {
  test.each(agents)("%s pass, and each of its tools has one", async (name) => {
    using home = temporaryDirectory();
    const { definition } = await readAgentDirectory(join(ROOT, name));
    const result = await runCli(["test", join(ROOT, name), "--trust"], { home: home.path });
    expect(definition.tools.filter(({ examples }) => examples.length === 0)).toStrictEqual([]);
    if (definition.tools.length > 0) expect(result).toMatchObject({ exitCode: 0 });
    else expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("no tests found") });
  });
});
