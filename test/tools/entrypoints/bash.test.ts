// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of the shell
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "@mdx-ai/base";
import { skillTool, type TestedTool } from "../../support/skill-tool.ts";

const strings = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { type: "string" }]));

async function command(target: string, args: JsonObject, tested: TestedTool = {}): Promise<string> {
  const properties = tested.properties ?? strings(...Object.keys(args), "x", "y");
  await using made = skillTool(`bash:${target}`, { ...tested, properties });
  const place = { agentDir: made.directory, cwd: made.directory };
  const access = await made.tool.access?.(args, place);
  return access?.kind === "command" ? access.command.replaceAll(made.folder, "FOLDER") : "";
}

describe("the command of a bash entrypoint", () => {
  test.each([
    ["cat {x}", { x: "notes.txt" }, "cat notes.txt"],
    ["cat {x}", { x: "a b" }, "cat 'a b'"],
    ["cat {x}", { x: "it's" }, "cat 'it'\\''s'"],
    ["cat {x}", { x: "" }, "cat ''"],
    ["cat {x}>out", { x: "2" }, "cat '2'>out"],
    ['cat "{x}"', { x: 'a"$b`c\\' }, 'cat "a\\"\\$b\\`c\\\\"'],
    ["cat '{x}'", { x: "it's" }, "cat 'it'\\''s'"],
    // What is absent leaves nothing, and never the word None.
    ["ls {x} {y}", { y: "b" }, "ls  b"],
    ["ls --limit={x} {y}", { y: "b" }, "ls  b"],
    ['ls "{x}" {y}', { y: "b" }, "ls  b"],
    ['echo "hi {x}" {y}', { y: "b" }, 'echo "hi " b'],
    ["ls {x}", {}, "ls "],
    ["{baseDir}/run {x}", { x: "1" }, "'FOLDER'/run 1"],
    ["{x}", { x: "git status | head" }, "git status | head"],
  ])("%j with %j is %j", async (target, args, expected) => expect(await command(target, args)).toBe(expected));

  test.each([
    [{ x: 5 }, "run 5"],
    [{ x: -5 }, "run -5"],
    [{ x: true }, "run true"],
    [{ x: null }, "run "],
    [{ x: ["a", "b c"] }, "run a 'b c'"],
    [{ x: { a: 1 } }, "run '{\"a\":1}'"],
  ])("of %j is %j", async (args, expected) => {
    expect(await command("run {x}", args, { properties: { x: {} } })).toBe(expected);
  });

  test.each([
    ["cat {x}", { type: "string" }, "cat", true],
    ["cat -- {x}", { type: "string" }, "cat", false],
    ["echo {x}", { type: "string" }, "echo", false],
    ["cat {x}", { type: "string", enum: ["-n"] }, "cat", false],
    ["cat {x}", { type: "string", pattern: "^-n$" }, "cat", false],
    ["cat {x}", { type: "array", items: { type: "string" } }, "cat", true],
  ])("%j refuses an option in %j", async (target, property, _program, isRefused) => {
    const x = property.type === "array" ? ["a", "-n"] : "-n";
    const refused = command(target, { x }, { properties: { x: property } });
    if (isRefused) expect(refused).rejects.toThrow('the argument "x" must not begin with "-"');
    else expect(await refused).toContain("-n");
  });
});

describe("an option that a value would become", () => {
  const HOSTILE = "-va[$(touch pwned)]";
  test.each([
    ["printf {x} {y}", { x: HOSTILE, y: "1" }, "x"],
    ["printf '%s' > f {x}; printf > f {y}", { y: HOSTILE }, "y"],
    ["printf {x} {y}", { x: "%s", y: HOSTILE }, "y"],
    ["printf $F {x}", { x: HOSTILE }, "x"],
    ["cat {x}{y}", { x: "", y: "-n" }, "y"],
    ['cat "{x}{y}"', { x: "", y: "-n" }, "y"],
    ["cat '{x}'{y}", { y: "-n" }, "y"],
    ["cat $(true){x}", { x: "-n" }, "x"],
  ])("is refused: %j with %j", async (target, args, name) => {
    await expect(command(target, args)).rejects.toThrow(`the argument "${name}" must not begin with "-"`);
  });

  test.each([
    ["printf '%s\\n' {x}", { x: "-n" }, "printf '%s\\n' -n"],
    ["printf %s {x} {y}", { x: "-n", y: "-e" }, "printf %s -n -e"],
    ["cat {x}{y}", { x: "a", y: "-n" }, "cat 'a''-n'"],
  ])("is text: %j with %j", async (target, args, expected) => expect(await command(target, args)).toBe(expected));
});

const NASTY = [
  "$(touch pwned)",
  "`touch pwned`",
  "'; touch pwned; '",
  '"; touch pwned; "',
  "a\nb\ntouch pwned",
  "\\'; touch pwned #",
  "$HOME ${HOME} $((1+1))",
  "* ? [a-z] ~ {a,b}",
  "& | > pwned < x ; !",
  "ünï ©ödé 🎉 \u202e",
  "\\",
  "\t x",
  "x".repeat(5_000),
];

describe("a bash entrypoint runs no value as code", () => {
  const forms = [
    "printf '%s\\0' {x}",
    "printf '%s\\0' \"{x}\"",
    "printf '%s\\0' '{x}'",
    "printf '%s\\0' \"$(printf '%s.' {x})\" | sed -z 's/\\.$//'",
    "v={x}; printf '%s\\0' \"$v\"",
    "printf '%s\\0' --=\"{x}\" | cut -z -c 4-",
  ];
  test.each(forms)("%j", async (target) => {
    await using made = skillTool(`bash:${target}`, { properties: strings("x"), required: ["x"] });
    for (const x of NASTY) {
      const { text, isError } = await made.run({ x });
      expect({ text: text.replaceAll("\0", ""), isError }).toStrictEqual({ text: x, isError: false });
    }
    expect(await made.run({ x: "a\0b" })).toStrictEqual({
      text: "the command contains a null character",
      isError: true,
    });
    await using check = skillTool("bash:test ! -e pwned", {});
    expect((await check.run()).isError).toBe(false);
  });
});

describe("a call of a bash entrypoint", () => {
  test("fails with its output if the command fails", async () => {
    await using made = skillTool("bash:echo before; exit 3");
    expect(await made.run()).toStrictEqual({ text: "before\n[exit code 3]", isError: true });
  });

  test("checks its arguments by the schema, with every type and what is required", async () => {
    const properties = {
      s: { type: "string" },
      i: { type: "integer" },
      n: { type: "number" },
      b: { type: "boolean" },
      a: { type: "array" },
      o: { type: "object" },
    };
    await using made = skillTool("bash:echo {s} {i} {n} {b} {a} {o}", { properties, required: ["s"] });
    expect(await made.run({})).toStrictEqual({
      text: 'invalid arguments: parameter "s" is missing (string). Example: tested {"s":"<s>"}',
      isError: true,
    });
    expect((await made.run({ s: "x", i: "one", n: "two", b: "yes", a: {}, o: [] })).text).toContain(
      'invalid arguments: parameter "i" must be integer, not string; parameter "n" must be number, not string; parameter "b" must be boolean, not string; parameter "a" must be array, not object; parameter "o" must be object, not array',
    );
    expect((await made.run({ s: "x", i: 1, n: 1.5, b: false, a: ["p", "q"], o: { k: null } })).text).toBe(
      'x 1 1.5 false p q {"k":null}\n',
    );
  });

  test("fills in the defaults of its schema", async () => {
    await using made = skillTool("bash:echo {x}", { properties: { x: { type: "string", default: "usual" } } });
    expect((await made.run()).text).toBe("usual\n");
  });

  test("is killed when its time is over", async () => {
    await using made = skillTool("bash:echo begun; sleep 60", { timeout: 0.5 });
    const { text, isError } = await made.run();
    expect([text, isError]).toStrictEqual(["begun\n[killed: it timed out after 0.5 seconds]", true]);
  });

  test("has an output within the limit of a result, and says how much is missing", async () => {
    await using made = skillTool("bash:yes | head -c 1000000");
    const { text } = await made.run();
    expect(text.length).toBeLessThanOrEqual(32_000);
    expect(text).toMatch(/\[9\d{5} characters dropped: a tool result has at most 32000 characters\]/);
  });

  test.each([
    [
      "ftp://x",
      'the tool cannot run: its entrypoint "ftp://x" has an unknown scheme; the known ones are bash:, http:get:, http:post:, python:, grpc:, container:',
    ],
    [
      "bash:cat {nothing}",
      "the tool cannot run: its entrypoint cannot work: the placeholder {nothing} names no property of the tool's schema; add the property `nothing` to the schema, or write `{{nothing}}` for text in braces",
    ],
  ])("of the entrypoint %j is an error with the reason", async (entrypoint, text) => {
    await using made = skillTool(entrypoint);
    expect(await made.run()).toStrictEqual({ text, isError: true });
  });
});
