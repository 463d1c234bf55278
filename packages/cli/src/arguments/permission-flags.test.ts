import { describe, expect, test } from "bun:test";
import type { PermissionFlags } from "@mdx-ai/directory";
import { runCommandLine } from "../../../../test/support/run-command-line.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { COMMANDS } from "../command-table/command-table.ts";
import { parseArguments } from "./parse-arguments.ts";
import { readPermissionFlags } from "./run-options.ts";

async function read(args: readonly string[]): Promise<PermissionFlags> {
  const spec = COMMANDS.find(({ name }) => name === "agent");
  if (spec === undefined) throw new Error("there is no command agent");
  return readPermissionFlags(await parseArguments(spec, args));
}

const NOTHING: PermissionFlags = { allow: [], deny: [], allowsAll: false };

describe("what is said in advance", () => {
  test("is nothing by default", async () => {
    expect(await read([])).toStrictEqual(NOTHING);
  });

  test("is every --allow and every --deny, in their order", async () => {
    const args = ["--allow", "bash(git *)", "--deny=bash(rm *)", "--allow", "mcp.*", "--deny", "write_file(out/**)"];
    expect(await read(args)).toStrictEqual({
      ...NOTHING,
      allow: ["bash(git *)", "mcp.*"],
      deny: ["bash(rm *)", "write_file(out/**)"],
    });
  });

  test("is --allow-all and the mode of the sandbox", async () => {
    expect(await read(["--allow-all", "--sandbox", "required"])).toStrictEqual({
      ...NOTHING,
      allowsAll: true,
      sandboxMode: "required",
    });
  });

  test.each([
    [["--allow", ""], "--allow needs a pattern such as bash, 'bash(git *)'"],
    [["--allow", "bash("], 'but got "bash("'],
    [["--deny", "bash(rm *"], "--deny needs a pattern"],
    [["--deny", "bash()"], "--deny needs a pattern"],
    [["--deny", " bash"], "--deny needs a pattern"],
    [["--deny", "bash(a)b"], "--deny needs a pattern"],
    [["--allow", "bash", "--allow"], "--allow needs a value: --allow PATTERN"],
    [["--allow", "--deny", "bash"], "--allow needs a value"],
    [["--allow-all=yes"], "--allow-all takes no value"],
    [["--sandbox", "on"], '--sandbox needs auto, required or off, but got "on"'],
    [["--sandbox"], "--sandbox needs a value: --sandbox MODE"],
  ])("%j says what to write instead", async (args, message) => {
    using home = temporaryDirectory();
    const { exitCode, stderr } = await runCommandLine(["agent", ...args], { home: home.path });
    expect([exitCode, stderr]).toStrictEqual([2, expect.stringContaining(message)]);
  });
});
