import { describe, expect, test } from "bun:test";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { withFixes } from "../../support/diagnostic-places.ts";

const code = 'function execute() { return ""; }';
const tool = (param: string): string => agentText(toolWithCode(code).replace('<Param name="city" />', param));
const yaml = (text: string): string => `---\n${text}\n---\n\n${agentText("")}`;

describe("what has one obvious mend is mended, and nothing is wrong then", () => {
  const rows: readonly [string, string, string][] = [
    ["`int` for integer", tool('<Param name="a" type="int" />'), tool('<Param name="a" type="integer" />')],
    ["`str` for string", tool("<Param name='a' type='str' />"), tool("<Param name='a' type=\"string\" />")],
    ["a capital", tool('<Param name="a" type="Boolean" />'), tool('<Param name="a" type="boolean" />')],
    ["`dict` for object", tool('<Param name="a" type="dict" />'), tool('<Param name="a" type="object" />')],
    [
      "a list of TypeScript",
      tool('<Param name="a" type="int[]" />'),
      tool('<Param name="a" type="array" items="integer" />'),
    ],
    [
      "a list without `items` yet",
      tool('<Param name="a" type="list" items="string" />'),
      tool('<Param name="a" type="array" items="string" />'),
    ],
    [
      "items in another word",
      tool('<Param name="a" type="array" items="str" />'),
      tool('<Param name="a" type="array" items="string" />'),
    ],
    [
      "`required` in another word",
      tool('<Param name="a" required="no" />'),
      tool('<Param name="a" required="false" />'),
    ],
    ["`required` in a number", tool('<Param name="a" required={1} />'), tool('<Param name="a" required="true" />')],
    [
      "`optional` for what may be left out",
      tool('<Param name="a" optional />'),
      tool('<Param name="a" required="false" />'),
    ],
    ["`nullable` in a word", tool('<Param name="a" nullable="yes" />'), tool('<Param name="a" nullable="true" />')],
    ["an attribute misspelled", tool('<Param nmae="a" />'), tool('<Param name="a" />')],
    ["an attribute in capitals", tool('<Param Name="a" Type="string" />'), tool('<Param name="a" type="string" />')],
    ["a setting misspelled", yaml("temprature: 1"), yaml("temperature: 1")],
    ["a setting in camel case", yaml("maxTokens: 5"), yaml("max_tokens: 5")],
    ["a text of digits", yaml("name: 007"), yaml('name: "007"')],
    ["a number in quotes", yaml("temperature: '0.5'"), yaml("temperature: 0.5")],
    ["an answer in a word", yaml("stream: no"), yaml("stream: false")],
    ["false where YAML reads no word", yaml("sandbox: false\nthinking: no"), yaml("sandbox: off\nthinking: off")],
    ["one model of a list without quotes", yaml("model: [5]"), yaml('model: ["5"]')],
    [
      "one pattern where a list belongs",
      yaml("permissions: {bash: {deny: rm *}}"),
      yaml('permissions: {bash: {deny: ["rm *"]}}'),
    ],
    ["a colon in a text", yaml("description: this: that"), yaml('description: "this: that"')],
    ["a quote that is not closed", yaml('description: "tea'), yaml('description: "tea"')],
    ["an apostrophe", yaml("description: 'tea's'"), yaml('description: "tea\'s"')],
    [
      "a pattern that begins with a star",
      yaml("permissions:\n  bash: ask\nname: *"),
      yaml('permissions:\n  bash: ask\nname: "*"'),
    ],
    ["no blank after a colon", yaml("temperature:0"), yaml("temperature: 0")],
    ["a tab", yaml("limits:\n\tturns: 5"), yaml("limits:\n  turns: 5")],
    ["a fence of JavaScript", agentText(toolWithCode(code).replace("```ts", "```js")), agentText(toolWithCode(code))],
    [
      "a fence without a language",
      agentText(toolWithCode(code).replace("```ts", "```")),
      agentText(toolWithCode(code)),
    ],
  ];
  for (const [name, written, mended] of rows) {
    for (const newline of ["\n", "\r\n"]) {
      test(`${name}${newline === "\n" ? "" : ", with CRLF and a byte-order mark"}`, async () => {
        const mark = newline === "\n" ? "" : "\uFEFF";
        const text = mark + written.replaceAll("\n", newline);
        const { diagnostics } = await parseAgentMdx(text);
        expect(diagnostics).not.toBeEmpty();
        const fixed = withFixes(text, diagnostics);
        expect(fixed).toBe(mark + mended.replaceAll("\n", newline));
        expect((await parseAgentMdx(fixed)).diagnostics).toStrictEqual([]);
      });
    }
  }
});

describe("what may mean more than one thing, or is there already, has no mend", () => {
  const rows: readonly [string, string][] = [
    ["an attribute as near to two others", tool('<Param name="a" mix="1" />')],
    ["an attribute whose right spelling is there", tool('<Param name="a" nmae="b" />')],
    ["`optional` beside `required`", tool('<Param name="a" required="true" optional />')],
    ["a type that says more", tool('<Param name="a" type="string | null" />')],
    ["a list without its items", tool('<Param name="a" type="list" />')],
    ["a setting whose right spelling is there", yaml("temperature: 0\ntemprature: 1")],
    ["a setting whose value the right one refuses", yaml("temprature: hot")],
    ["an alias that nothing defines", yaml("limits: *defaults")],
    ["a sandbox that is on", yaml("sandbox: true")],
    ["a fence of Python", agentText(toolWithCode("print(1)").replace("```ts", "```python"))],
    ["a fence of JavaScript that cannot be read", agentText(toolWithCode("function (").replace("```ts", "```js"))],
  ];
  for (const [name, text] of rows) {
    test(name, async () => {
      const { diagnostics } = await parseAgentMdx(text);
      expect(diagnostics).not.toBeEmpty();
      expect(diagnostics.flatMap(({ fix }) => fix ?? [])).toStrictEqual([]);
    });
  }
});
