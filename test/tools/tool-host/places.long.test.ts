import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { openToolBench } from "../../support/tool-bench.ts";

/** Stands in a file right before the place that an error must name. */
const MARK = "/*HERE*/";

const HEAD = `---
name: Places
---

# Agent: Places

## Purpose

Shows where code fails – in ünïcödé 😀 too.
`;

const fence = (code: string, indent = ""): string =>
  `\n<Tool name="fails" description="Fails">\n\n${`\`\`\`ts\n${code}\n\`\`\``.replace(/^(?=.)/gm, indent)}\n\n</Tool>\n`;

const inExecute = (body: string): string => `async function execute() {\n${body}\n}`;

/** Each with the text of agent.mdx after its head. */
const CASES: readonly (readonly [string, string])[] = [
  ["the first line", fence(`throw new ${MARK}Error("x");\nfunction execute() {}`)],
  ["the first line, of a function", fence(`const execute = () => { throw new ${MARK}Error("x"); };`)],
  [
    "a nested function",
    fence(inExecute(`  const inner = () => {\n    [1].map(() => { throw new ${MARK}Error("x"); });\n  };\n  inner();`)),
  ],
  [
    "a line after a template of many lines",
    fence(
      inExecute(`  const text = \`one\n\n\ntwo \${1 +\n 1}\n\`;\n  throw new ${MARK}Error("x" + text.slice(0, 0));`),
    ),
  ],
  [
    "a line after types that vanish",
    fence(
      `interface A {\n  a: string;\n}\n\ntype B = {\n  b: A;\n};\n\n// comment\n\n${inExecute(`  const a: B | undefined = undefined;\n\n  throw new ${MARK}Error("x" + (a ?? ""));`)}`,
    ),
  ],
  [
    "a line with wide characters before",
    fence(inExecute(`  const name = "Zoë 東京 😀"; if (name) throw new ${MARK}Error("x");`)),
  ],
  ["a line indented by tabs", fence(inExecute(`\t\tthrow new ${MARK}Error("x");`))],
  ["an indented fence", fence(inExecute(`  if (true) {\n    throw new ${MARK}Error("x");\n  }`), "  ")],
  ["a fence indented by three", fence(inExecute(`  throw new ${MARK}Error("x");`), "   ")],
  ["code after an await", fence(inExecute(`  await Bun.sleep(1);\n  throw new ${MARK}Error("x");`))],
  [
    "code after an await, in a function of its own",
    fence(
      `async function inner() {\n  await null;\n  throw new ${MARK}Error("x");\n}\n${inExecute("  return await inner();")}`,
    ),
  ],
  [
    "a class",
    fence(
      `class City {\n  static find(): never {\n    throw new ${MARK}RangeError("x");\n  }\n}\n${inExecute("  City.find();")}`,
    ),
  ],
  [
    "a getter",
    fence(inExecute(`  const city = { get name() { throw new ${MARK}Error("x"); } };\n  return city.name;`)),
  ],
  [
    "a timer",
    fence(inExecute(`  setTimeout(() => {\n    throw new ${MARK}Error("x");\n  }, 1);\n  await Bun.sleep(2000);`)),
  ],
  [
    "a rejection that nobody awaits",
    fence(inExecute(`  (async () => {\n    throw new ${MARK}Error("x");\n  })();\n  return 1;`)),
  ],
  ["code that was made and evaluated", fence(inExecute(`  return ${MARK}eval("(() => { throw new Error('x') })()");`))],
  ["a call of what is no function", fence(inExecute(`  const nothing: any = {};\n  nothing.${MARK}call.it();`))],
  ["the end of the process", fence(inExecute(`  process.${MARK}exit(1);`))],
  ["broken syntax", fence(inExecute(`  const a = ${MARK};`))],
  ["broken syntax in an indented fence", fence(inExecute(`  const a = ${MARK};`), "    ".slice(1))],
  ["an import of nothing", fence(`import a from ${MARK}"./nothing.ts";\n${inExecute("  return a;")}`)],
  ["an import of nothing in the code", fence(inExecute(`  await import(${MARK}"no-such-package");`))],
];

/** Where the mark stands in a text, as `line:column`. The mark itself remains in the file: it is a comment. */
function markedPlace(text: string): string {
  const before = text.slice(0, text.indexOf(MARK) + MARK.length).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

describe("an error names its place in agent.mdx to line and column:", () => {
  const files = [
    ["LF", (text: string) => text],
    ["CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
  ] as const;

  test.concurrent.each(
    CASES.flatMap(([name, tool]) => files.map(([ends, convert]) => [name, ends, convert(HEAD + tool)] as const)),
  )("%s (%s)", async (_name, _ends, text) => {
    await using bench = openToolBench();
    writeFileSync(join(bench.directory, "agent.mdx"), text);
    const [tool] = (await parseAgentMdx(text)).tools;
    if (!tool) throw new Error("the tool was not read");
    const result = await bench.run(tool);
    expect(result.isError).toBe(true);
    expect(result.text).toContain(`(agent.mdx:${markedPlace(text)})`);
  });
});

describe("an error of an imported file", () => {
  const helper = `export const deep = (): never => {\n  throw new ${MARK}Error("deep");\n};\n`;

  test("names that place and the one that called it", async () => {
    await using bench = openToolBench();
    writeFileSync(join(bench.directory, "helper.ts"), helper);
    const text = HEAD + fence(`import { deep } from "./helper.ts";\n${inExecute(`  return ${MARK}deep();`)}`);
    const [tool] = (await parseAgentMdx(text)).tools;
    if (!tool) throw new Error("the tool was not read");
    const result = await bench.run(tool);
    expect(result.text).toBe(`deep (helper.ts:${markedPlace(helper)}, called at agent.mdx:${markedPlace(text)})`);
    expect(result.details).toEqual({
      stack: `Error: deep\n    at deep (helper.ts:${markedPlace(helper)})\n    at execute (agent.mdx:${markedPlace(text)})`,
    });
  });

  test("names that place for broken syntax too", async () => {
    await using bench = openToolBench();
    const broken = `export const deep = ${MARK};\n`;
    writeFileSync(join(bench.directory, "helper.ts"), broken);
    const [tool] = (
      await parseAgentMdx(HEAD + fence(`import { deep } from "./helper.ts";\n${inExecute("  return deep;")}`))
    ).tools;
    if (!tool) throw new Error("the tool was not read");
    expect((await bench.run(tool)).text).toContain(`(helper.ts:${markedPlace(broken)})`);
  });
});

test("the stack of an error and of its cause is kept for people, without a frame of this program", async () => {
  await using bench = openToolBench();
  const text =
    HEAD +
    fence(
      inExecute(
        '  try {\n    JSON.parse("{");\n  } catch (cause) {\n    throw new Error("bad reply", { cause });\n  }',
      ),
    );
  const [tool] = (await parseAgentMdx(text)).tools;
  if (!tool) throw new Error("the tool was not read");
  const { details } = await bench.run(tool);
  expect(details).toMatchObject({
    stack: expect.stringMatching(
      /^Error: bad reply\n {4}at execute \(agent\.mdx:18:15\)\nCaused by SyntaxError: JSON Parse error/,
    ),
  });
  expect(JSON.stringify(details)).not.toMatch(/packages\/runtime|request-runner/);
});
