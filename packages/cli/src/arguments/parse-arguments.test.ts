import { describe, expect, test } from "bun:test";
import { runCommandLine } from "../../../../test/support/run-command-line.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { COMMANDS } from "../command-table/command-table.ts";
import type { CommandSpec, ParsedArguments } from "./command-spec.ts";
import { parseArguments } from "./parse-arguments.ts";

function parse(name: string, args: readonly string[]): Promise<ParsedArguments> {
  const spec = COMMANDS.find((command): command is CommandSpec => command.name === name);
  if (spec === undefined) throw new Error(`no command ${name}`);
  return parseArguments(spec, args);
}

const understood: readonly (readonly [args: readonly string[], values: Readonly<Record<string, string>>])[] = [
  [["--prompt", "hello"], { prompt: "hello" }],
  [["--prompt=hello"], { prompt: "hello" }],
  [["--prompt", "-"], { prompt: "-" }],
  [["--prompt", ""], { prompt: "" }],
  [["--prompt="], { prompt: "" }],
  [["--prompt", "-5 degrees"], { prompt: "-5 degrees" }],
  [["--prompt=--json"], { prompt: "--json" }],
  [["--prompt", "--jsonify this"], { prompt: "--jsonify this" }],
  [["--temp", "-1"], { temp: "-1" }],
  [["--session", "a", "--session", "b"], { session: "b" }],
];

const misused: readonly (readonly [command: string, args: readonly string[], message: string])[] = [
  ["agent", ["--promt", "x"], "did you mean `--prompt`?"],
  ["agent", ["--unheard-of-thing"], "see mdx-ai agent --help"],
  ["agent", ["-x"], "unknown option -x"],
  ["agent", ["--prompt"], "--prompt needs a value: --prompt TEXT"],
  ["agent", ["--prompt", "--json"], "--prompt needs a value"],
  ["agent", ["--json=yes"], "--json takes no value"],
  ["agent", ["a", "b"], 'unexpected argument "b"'],
  ["agent", ["__proto__", "--constructor"], "unknown option --constructor"],
  ["tool", [], "mdx-ai tool <dir> <name>"],
  ["init", [""], "mdx-ai init <dir>"],
  ["trust", ["--remove", ""], "an argument is empty"],
];

describe("the command line", () => {
  test.each(understood)("%j is understood", async (args, values) => {
    expect(Object.fromEntries((await parse("agent", args)).values)).toEqual(values);
  });

  test.each(misused)("%s %j says what to write instead", async (command, args, message) => {
    using home = temporaryDirectory();
    const { exitCode, stdout, stderr } = await runCommandLine([command, ...args], { home: home.path });
    expect([exitCode, stdout, stderr]).toStrictEqual([2, "", expect.stringContaining(message)]);
  });

  test("allows options before, between and after the arguments", async () => {
    const { positionals, switches, values } = await parse("tool", ["--trust", "dir", "--cwd", "/", "name", "k=v"]);
    expect(positionals).toEqual(["dir", "name", "k=v"]);
    expect([...switches]).toEqual(["trust"]);
    expect([...values]).toEqual([["cwd", "/"]]);
  });

  test("takes what follows -- as it is", async () => {
    expect((await parse("tool", ["dir", "name", "--", "--trust"])).positionals).toEqual(["dir", "name", "--trust"]);
  });

  test.each([
    [["dir", "--", "ls", "-l", "--json", "--"], { positionals: ["dir"], command: ["ls", "-l", "--json", "--"] }],
    [["--", "ls"], { positionals: [], command: ["ls"] }],
    [["dir", "--"], { positionals: ["dir"], command: [] }],
    [["dir"], { positionals: ["dir"] }],
  ])("of a command that takes another one, %j, ends at --", async (args, expected) => {
    const { positionals, command } = await parse("sandbox", args);
    expect({ positionals, ...(command !== undefined && { command }) }).toStrictEqual(expected);
  });

  test("asks for nothing more where help is asked for", async () => {
    expect((await parse("tool", ["-h"])).switches.has("help")).toBe(true);
  });
});
