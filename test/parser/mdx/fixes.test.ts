import { describe, expect, test } from "bun:test";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { withFixes } from "../../support/diagnostic-places.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";

const code = 'function execute() { return ""; }';
const tool = (param: string): string => agentText(toolWithCode(code).replace('<Param name="city" />', param));
const yaml = (text: string): string => `---\n${text}\n---\n\n${agentText("")}`;

describe("what has one obvious fix is fixed, and nothing is wrong then", () => {
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
    ["false where YAML reads no word", yaml("thinking: no"), yaml("thinking: off")],
    ["one model of a list without quotes", yaml("model: [5]"), yaml('model: ["5"]')],
    ["one model in a list without quotes", yaml("model: [5, a/b]"), yaml('model: ["5", a/b]')],
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
  for (const [name, written, expected] of rows) {
    for (const newline of ["\n", "\r\n"]) {
      test(`${name}${newline === "\n" ? "" : ", with CRLF and a byte-order mark"}`, async () => {
        const mark = newline === "\n" ? "" : "\uFEFF";
        const text = mark + written.replaceAll("\n", newline);
        const { diagnostics } = await parseAgentMdx(text);
        expect(diagnostics).not.toBeEmpty();
        const fixed = withFixes(text, diagnostics);
        expect(fixed).toBe(mark + expected.replaceAll("\n", newline));
        expect((await parseAgentMdx(fixed)).diagnostics).toStrictEqual([]);
      });
    }
  }
});

describe("what may mean more than one thing, or is there already, has no fix", () => {
  const rows: readonly [string, string][] = [
    ["an attribute as near to two others", tool('<Param name="a" mix="1" />')],
    ["an attribute whose right spelling is there", tool('<Param name="a" nmae="b" />')],
    ["`optional` beside `required`", tool('<Param name="a" required="true" optional />')],
    ["a type that says more", tool('<Param name="a" type="string | null" />')],
    ["a list without its items", tool('<Param name="a" type="list" />')],
    ["a setting whose right spelling is there", yaml("temperature: 0\ntemprature: 1")],
    ["a setting whose value the right one refuses", yaml("temprature: hot")],
    ["two spellings of one setting", yaml("temprature: 1\ntemperatur: 0")],
    ["a setting whose right one refuses what no schema can say", yaml("timezon: Mars/Olympus")],
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

test("text on the line of a tool gets a line of its own, after which the tool is read", async () => {
  const withText = (between: string): string =>
    agentText(toolWithCode(code).replace(/(<Tool [^>]*>)\n/, `$1${between}Text\n`));
  const { diagnostics } = await parseAgentMdx(withText(""));
  expect(withFixes(withText(""), diagnostics)).toBe(withText("\n\n"));
  const fixed = await parseAgentMdx(withText("\n\n"));
  expect(fixed.diagnostics.map(({ rule }) => rule)).toStrictEqual(["tool-content"]);
  expect(fixed.tools).toHaveLength(1);
});

describe("what grants power is never guessed: it has a hint and no fix", () => {
  const withAttribute = (attribute: string): string =>
    agentText(toolWithCode(code).replace("<Tool ", `<Tool ${attribute} `));
  const rows: readonly [name: string, text: string, rule: string, hint: string][] = [
    ["a misspelt permission", yaml("permissions: {bash: alow}"), "setting-type", "did you mean `allow`?"],
    ["a permission in capitals", yaml("permissions: {bash: Allow}"), "setting-type", "did you mean `allow`?"],
    ["a misspelt denial", yaml("permissions: {bash: dney}"), "setting-type", "did you mean `deny`?"],
    ["a list that is misspelt", yaml("permissions: {bash: {alow: [ls]}}"), "setting-unknown", "did you mean `allow`?"],
    [
      "one pattern where a list belongs",
      yaml("permissions: {bash: {allow: ls *}}"),
      "setting-type",
      'write `["ls *"]`',
    ],
    ["`permissions` misspelt", yaml("permisions: {bash: allow}"), "setting-unknown", "did you mean `permissions`?"],
    ["`sandbox` misspelt", yaml("sanbox: off"), "setting-unknown", "did you mean `sandbox`?"],
    ["a misspelt sandbox", yaml("sandbox: of"), "setting-type", "did you mean `off`?"],
    ["a sandbox that is false", yaml("sandbox: false"), "setting-type", "write `off`"],
    ["the mode of a sandbox", yaml("sandbox: {mode: of}"), "setting-type", "did you mean `off`?"],
    ["a misspelt network", yaml("sandbox: {netwrok: all}"), "setting-unknown", "did you mean `network`?"],
    ["all of the network", yaml("sandbox: {network: al}"), "setting-type", "did you mean `all`?"],
    [
      "an address in the place of a host",
      yaml("sandbox: {network: ['https://api.example.com/v1']}"),
      "setting-type",
      "did you mean `api.example.com`?",
    ],
    ["YAML of a permission without a blank", yaml("permissions:\n  bash:allow"), "setting-type", ""],
    ["YAML of a sandbox without a blank", yaml("temperature: 1\nsandbox:off"), "frontmatter-syntax", ""],
    ["YAML of a permission with a tab", yaml("permissions:\n\tbash: allow"), "frontmatter-syntax", ""],
    ["YAML of a permission with half a quote", yaml('permissions:\n  bash: "allow'), "frontmatter-syntax", ""],
    ["a misspelt permission of a tool", withAttribute('permission="alow"'), "tool-permission", "did you mean `allow`?"],
    ["a permission without quotes", withAttribute("permission=allow"), "element-tag", 'write `"allow"`'],
    ["a permission in typographic quotes", withAttribute("permission=“allow”"), "element-tag", 'write `"allow"`'],
    [
      "a permission that an open quote swallows",
      agentText(toolWithCode(code).replace(/description="[^"]*">/, 'description="city permission=allow>')),
      "element-tag",
      'write `"` at the end of the value',
    ],
    ["`permission` misspelt", withAttribute('permision="allow"'), "attribute-unknown", "did you mean `permission`?"],
    ["`network` in capitals", withAttribute('Network="localhost:80"'), "attribute-unknown", "did you mean `network`?"],
    ["`env` misspelt", withAttribute('evn="TOKEN"'), "attribute-unknown", "did you mean `env`?"],
    ["`files` misspelt", withAttribute('fils="write:/srv/**"'), "attribute-unknown", "did you mean `files`?"],
    ["`idempotent` misspelt", withAttribute("idempotant"), "attribute-unknown", "did you mean `idempotent`?"],
    ["`idempotent` in a word", withAttribute('idempotent="yes"'), "tool-idempotent", "write `idempotent`"],
    [
      "an address in the network of a tool",
      withAttribute('network="https://api.example.com/v1"'),
      "tool-network",
      "did you mean `api.example.com`?",
    ],
  ];
  for (const [name, text, rule, hint] of rows) {
    test(name, async () => {
      const { diagnostics } = await parseAgentMdx(text);
      const found = diagnostics.find((diagnostic) => diagnostic.rule === rule);
      expect(found).toBeDefined();
      expect(found?.hint).toContain(hint);
      expect(diagnostics.flatMap(({ fix }) => fix ?? [])).toStrictEqual([]);
    });
  }

  test("a mistake beside it still has its fix", async () => {
    const text = yaml("permissions: {bash: alow}\ntemprature: 1\ndescription: this: that");
    const broken = await parseAgentMdx(text);
    expect(withFixes(text, broken.diagnostics)).toContain('description: "this: that"');
    const whole = yaml("permissions: {bash: alow}\ntemprature: 1");
    expect(withFixes(whole, (await parseAgentMdx(whole)).diagnostics)).toBe(
      yaml("permissions: {bash: alow}\ntemperature: 1"),
    );
  });
});

test.each(["> ", "- ", "> - "])(
  "a tool that is not closed after %j is not fixed, since each of its lines begins so",
  async (prefix) => {
    const lines = `<Tool name="a" description="d">\n\`\`\`ts\n${code}\n\`\`\`\n`;
    const rest = prefix.replace("-", " ");
    const { diagnostics } = await parseAgentMdx(agentText(lines.trim().replace(/^/gm, rest).replace(rest, prefix)));
    expect(diagnostics.map(({ rule, fix }) => [rule, fix])).toStrictEqual([["element-closing-tag", undefined]]);
  },
);
