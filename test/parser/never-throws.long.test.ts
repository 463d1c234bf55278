import { expect, test } from "bun:test";
import { parseHeartbeat, parseIdentity, parseSkill } from "@mdx-ai/parser/parse";
import fc from "fast-check";
import { agentText, toolWithCode } from "../support/agent-text.ts";
import { exampleText } from "../support/example-text.ts";
import { parseAgentMdx } from "../support/parse-agent-mdx.ts";
import { PLAIN_MESSAGE } from "../support/plain-message.ts";
import { randomCases } from "../support/random-cases.ts";

const example = exampleText('{"arguments": {"city": "a"}, "result": {"b": [1, null]}}', ' name="a" few-shot');
const params =
  '<Param name="o" type="object"><Param name="n" type="integer" min="1" max="5" default="2" /></Param>\n' +
  `<Param name="l" type="array" items="enum" enum="a,b" default='["a"]' nullable /><Param name="p" pattern="^a$" />\n`;
const block =
  '```json schema\n{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"enum":[1]}}}\n```\n';
const tool = toolWithCode('async function execute() { return "</Tool>"; }').replace(
  "</Tool>\n",
  `${example}${params}${block}</Tool>\n`,
);
const agent = `---\nname: A\nlimits: {turns: 3}\n---\n\n${agentText(`## Capabilities\n\n- a\n  - b {"c"}\n\n{/* c */}\n\n${tool}\n<context a={1}>x</context>\n`)}`;
const heartbeat =
  "## Schedule\n\n@every: 15m\n\n## Routine Tasks\n\n- Every Monday at 10:00: Do\n- `*/5 * * * *`: It\n";
const skill = '---\nname: a-b\ndescription: Does: "things\nmetadata: {a: 1}\n---\n\nBody\n';

/** What breaks parsers. */
const splinters = [
  "<",
  ">",
  "{",
  "}",
  "```",
  "````",
  "---\n",
  "</Tool>",
  "<Tool ",
  "<Param",
  "<Example",
  "</Example>",
  "/>",
  '"',
  "'",
  "=",
  "`",
  "\\",
  "\r",
  "\r\n",
  "\n\n",
  "\t",
  "\uFEFF",
  "\u0000",
  "\u2028",
  "\uD800",
  "😀",
  "<!--",
  "-->",
  "import a",
  "export ",
  "&#0;",
  "&a *a",
  "[^a]",
  "${",
  "*/",
  ": ",
  "- ",
  "# ",
  "<a.b:c/>",
  "@every: ",
  "{{",
  "%",
  "!!js ",
  "? ",
];
const DRAWN = randomCases(2_000);
/** A slow machine tries fewer cases. */
const CASES = { ...DRAWN, interruptAfterTimeLimit: DRAWN.numRuns / 2, markInterruptAsFailure: false };

/** A text of random parts, or a good one with splinters, holes and repetitions. */
function texts(good: string): fc.Arbitrary<string> {
  const place = fc.integer({ min: 0, max: good.length });
  const change = fc.record({ place, length: fc.nat(12), text: fc.constantFrom(...splinters, "") });
  const mutated = fc
    .array(change, { minLength: 1, maxLength: 6 })
    .map((changes) =>
      changes.reduce(
        (text, { place, length, text: splinter }) => text.slice(0, place) + splinter + text.slice(place + length),
        good,
      ),
    );
  const random = fc
    .array(fc.oneof(fc.constantFrom(...splinters), fc.string({ unit: "binary", maxLength: 6 })))
    .map((parts) => parts.join(""));
  return fc.oneof(mutated, random);
}

/** What every result promises. */
function check(
  text: string,
  result: {
    readonly diagnostics: readonly {
      line: number;
      column: number;
      message: string;
      fix?: { start: number; end: number };
    }[];
  },
): void {
  expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  for (const { line, column, message, fix } of result.diagnostics) {
    expect(message).toMatch(PLAIN_MESSAGE);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
    if (fix !== undefined)
      expect([0, fix.start, fix.end, text.length].toSorted((a, b) => a - b)).toEqual([
        0,
        fix.start,
        fix.end,
        text.length,
      ]);
  }
}

test("parseAgentMdx gives a result of sound places for any text", async () => {
  await fc.assert(
    fc.asyncProperty(texts(agent), async (text) => check(text, await parseAgentMdx(text))),
    CASES,
  );
});

test("parseHeartbeat gives a result of sound places for any text", () => {
  fc.assert(
    fc.property(texts(heartbeat), (text) => check(text, parseHeartbeat(text))),
    CASES,
  );
});

test("parseSkill gives a result of sound places for any text", () => {
  fc.assert(
    fc.property(texts(skill), (text) => check(text, parseSkill(text, "skills/a-b/SKILL.md"))),
    CASES,
  );
});

test("parseIdentity gives a name for any text", () => {
  fc.assert(
    fc.property(texts(agent), (text) => expect(parseIdentity(text).name).not.toBe("")),
    CASES,
  );
});

const deep: readonly [string, string][] = [
  ["quotes", `${"> ".repeat(3_000)}x`],
  ["lists", Array.from({ length: 300 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n")],
  ["tags", `${"<a>".repeat(2_000)}x${"</a>".repeat(2_000)}`],
  ["tags beyond any stack", `${"<a>".repeat(20_000)}x${"</a>".repeat(20_000)}`],
  ["braces", "{".repeat(3_000)],
  ["brackets", "[".repeat(3_000)],
  ["settings", `---\ncontext: ${"[".repeat(3_000)}\n---\n# Agent: A\n## Purpose\nx`],
];
for (const [name, text] of deep) {
  test(`deep ${name} give a result`, async () => check(text, await parseAgentMdx(text)), 60_000);
}
