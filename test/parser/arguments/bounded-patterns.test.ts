import { describe, expect, test } from "bun:test";
import { readAgentDirectory, schemaCheck } from "@mdx-ai/parser";
import { matcher } from "@mdx-ai/parser/bounded-search";
import fc from "fast-check";
import { agentDirectory } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { randomCases } from "../../support/random-cases.ts";

const fits = (pattern: string, text: string): boolean => matcher(pattern)(text);

describe("a pattern in bounded time", () => {
  test.each([
    ["^(a+)+$", ["a", "aaa", "", "aab"]],
    ["^(\\w+-)*\\w+$", ["a-b-c", "a--b", "-"]],
    ["(?=.*\\d)(?!.*x)^.{3,5}?$", ["ab1", "abc", "ab1x", "1", "12345", "123456"]],
    ["^(?<year>\\d{4})-(?:0[1-9]|1[0-2])|now$", ["2026-04", "2026-13", "right now", "now!"]],
    ["\\bfoo\\B|^$|\\u{1F600}+[^\\]\\p{Lu}]{2,}", ["foot", "foo", "", "😀😀ab", "😀AB"]],
    ["(?:){3}(a|)*b{0}c?", ["", "aac", "x"]],
    ["^\\S+.[\\s\\S][^]$", ["ab\u00a0\n", "a\u2028bc", "abc\n"]],
    ["^[\\s\\d]+$", ["1\u2003\ufeff2", "1a"]],
    ["(a)\\1|(?<n>b)\\k<n>|\\p{Script=Greek}", ["aa", "bb", "Ω", "ab"]],
  ])("finds %j in the same texts as a regular expression", (pattern, texts) => {
    for (const text of texts)
      expect([text, fits(pattern, text)]).toStrictEqual([text, new RegExp(pattern, "u").test(text)]);
  });

  test("finds random patterns in the same texts as a regular expression", () => {
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\d", "^", "$", "\\b", ""),
        fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `${one}${other}`),
        fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `(?:${one}|${other})`),
        fc
          .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?"))
          .map(([inner, repeat]) => `(${inner})${repeat}`),
        fc.tuple(fc.constantFrom("(?=", "(?!"), tie("pattern")).map(([look, inner]) => `${look}${inner})`),
      ),
    }));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", "\n", "😀"), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (one, given) => {
        expect([one, given, fits(one, given)]).toStrictEqual([one, given, new RegExp(one, "u").test(given)]);
      }),
      randomCases(3000),
    );
  });

  test("is one whose program would not end, or become too long: no text of some length fits", () => {
    for (const pattern of [`${"(".repeat(9)}${"){900}".repeat(9)}`, "(a{900}){900}", "^(a+)\\1+$", "(?<=(a+)+)b$"]) {
      const [problem] = schemaCheck({ type: "string", pattern })("a".repeat(100));
      expect(problem).toMatchObject({ keyword: "pattern", expected: pattern });
    }
  });
});

/** Milliseconds. A pattern that backtracks takes years; the machine may be busy. */
const SOON = 30_000;

describe("the check of a schema", () => {
  const HOSTILE = ["^(a+)+$", "^(a|a)*$", "a*a*a*a*a*b", "^(a?){40}b$", "(a+a+)+b", "(.*)*x$"];

  test.each(HOSTILE)("is through with 60 texts of a model and %j soon, and names what does not fit", (pattern) => {
    const check = schemaCheck({ type: "array", items: { type: "string", pattern } });
    const start = performance.now();
    const problems = check(Array.from({ length: 60 }, (_, index) => `${"a".repeat(2_000 + index)}!`));
    expect(performance.now() - start).toBeLessThan(SOON);
    expect(problems).toHaveLength(60);
    expect(problems[0]).toMatchObject({ keyword: "pattern", expected: pattern, path: ["0"] });
  });

  test("is through with 60 parameters and their defaults soon", async () => {
    const parameters = HOSTILE.flatMap((pattern) =>
      Array.from({ length: 10 }, (_, index) => {
        const attributes = `name="p${HOSTILE.indexOf(pattern)}_${index}" pattern="${pattern}" default="${"a".repeat(3_000)}!"`;
        return `  <Param ${attributes} />\n`;
      }),
    );
    const tool = `\n<Tool name="slow" description="Slow">\n${parameters.join("")}\n\`\`\`ts\nasync function execute() {}\n\`\`\`\n\n</Tool>\n`;
    using directory = agentDirectory({ "agent.mdx": `${MINIMAL_AGENT}${tool}` });
    const start = performance.now();
    const { diagnostics } = await readAgentDirectory(directory.path);
    expect(performance.now() - start).toBeLessThan(SOON);
    expect(diagnostics.filter(({ rule }) => rule === "param-default")).toHaveLength(60);
  });

  test("leaves what a slow pattern fits, in members and their names, and data that looks like a pattern", () => {
    const pattern = "^([a-z]+-)*[a-z]+$";
    const check = schemaCheck({
      type: "object",
      properties: { pattern: { type: "string", pattern }, fixed: { const: { pattern } } },
      patternProperties: { [pattern]: { type: ["string", "object"] } },
      additionalProperties: false,
    });
    expect(check({ pattern: "a-b-c", "d-e": "x", fixed: { pattern } })).toStrictEqual([]);
    expect(check({ pattern: "a--c" })).toMatchObject([{ keyword: "pattern", expected: pattern, path: ["pattern"] }]);
    expect(check({ "9": "x" })).toMatchObject([{ keyword: "false", path: ["9"] }]);
  });
});
