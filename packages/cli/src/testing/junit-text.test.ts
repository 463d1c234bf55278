import { describe, expect, test } from "bun:test";
import type { TestOutcome } from "@mdx-ai/directory/testing";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { countTests } from "../../../../scripts/testing/junit-report.ts";
import { randomCases } from "../../../../test/support/random-cases.ts";
import { junitText } from "./test-report.ts";

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements of a document in their order. Throws where it is not well-formed XML. */
function parseXml(text: string): readonly Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, text: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (part) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part;
  });
  parser.on("closetag", () => open.pop());
  parser.write(text).close();
  return elements;
}

function outcome(subject: string, name: string, more: Partial<TestOutcome> = {}): TestOutcome {
  const place = { file: "agent.mdx", line: 12, column: 3 };
  const run = async (): Promise<undefined> => undefined;
  return { test: { subject, name, place, run }, status: "passed", milliseconds: 12.4, ...more };
}

const failure = { message: "the result differs", lines: [{ mark: "-", text: "a" } as const] };

describe("a report in JUnit XML", () => {
  const outcomes = [
    outcome("get", "one"),
    outcome("put", "two", { status: "failed", failure }),
    outcome("get", "three", { status: "stopped" }),
  ];

  test("has a suite for each subject, with counts, times and places", () => {
    const elements = parseXml(junitText(outcomes, 1234));
    expect(elements.map(({ name, attributes }) => [name, { ...attributes }])).toStrictEqual([
      ["testsuites", { name: "mdx-ai test", tests: "3", failures: "1", errors: "0", skipped: "1", time: "1.234" }],
      ["testsuite", { name: "get", tests: "2", failures: "0", errors: "0", skipped: "1", time: "0.025" }],
      ["testcase", { name: "one", classname: "get", file: "agent.mdx", line: "12", time: "0.012" }],
      ["testcase", { name: "three", classname: "get", file: "agent.mdx", line: "12", time: "0.012" }],
      ["skipped", { message: "interrupted" }],
      ["testsuite", { name: "put", tests: "1", failures: "1", errors: "0", skipped: "0", time: "0.012" }],
      ["testcase", { name: "two", classname: "put", file: "agent.mdx", line: "12", time: "0.012" }],
      ["failure", { message: "the result differs" }],
    ]);
    expect(elements.at(-1)?.text).toBe("agent.mdx:12:3\n- a");
  });

  test("is understood by the reader that this project has for such reports", () => {
    const failures = ["agent.mdx:12 put > two\n    the result differs"];
    expect(countTests(junitText(outcomes, 1))).toStrictEqual({ passed: 1, failed: 1, skipped: ["three"], failures });
  });

  test.each([
    ["]]>", "]]>"],
    ['<a href="x">&amp;\'</a>', '<a href="x">&amp;\'</a>'],
    ["a\u0000\u001b[31m\u0085", "a\\u{0}\\u{1b}[31m\\u{85}"],
    ["right\u202eleft", "right\\u{202e}left"],
    ["\ud800\uffff", "\\u{d800}\\u{ffff}"],
    ["two\nlines\ttab", "two\\nlines\\ttab"],
    ["Zürich 😀", "Zürich 😀"],
  ])("is well-formed with %j in every place", (hostile, shown) => {
    const told = { message: hostile, lines: [{ mark: "+", text: hostile } as const] };
    const elements = parseXml(junitText([outcome(hostile, hostile, { status: "failed", failure: told })], 1));
    const [, suite, testcase, failed] = elements;
    expect(suite?.attributes["name"]).toBe(shown);
    expect(testcase?.attributes).toMatchObject({ name: shown, classname: shown });
    expect(failed?.attributes["message"]).toBe(shown);
    expect(failed?.text).toBe(`agent.mdx:12:3\n+ ${shown}`);
  });

  test("is well-formed with any names and failures", () => {
    const texts = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(texts, texts, (name, message) => {
        const told = { message, lines: [{ mark: " ", text: message } as const] };
        expect(parseXml(junitText([outcome(name, name, { status: "failed", failure: told })], 1))).toHaveLength(4);
      }),
      randomCases(),
    );
  });
});
