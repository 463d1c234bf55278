import { describe, expect, test } from "bun:test";
import { createRedactor } from "@mdx-ai/base";
import type { Diagnostic, TextEdit } from "@mdx-ai/parser";
import { markedLine, sourceFile } from "./source-excerpt.ts";

const at = (line: number, column: number, fix?: TextEdit): Diagnostic => ({
  file: "agent.mdx",
  line,
  column,
  severity: "error",
  rule: "element-tag",
  message: "M",
  ...(fix === undefined ? {} : { fix }),
});

const asIs = (text: string): string => text;

/** The marked part of a line, between brackets. */
function marked(text: string, diagnostic: Diagnostic, redact = asIs): string | undefined {
  const line = markedLine(diagnostic, sourceFile(text, redact));
  if (line === undefined) return undefined;
  return `${line.text.slice(0, line.start)}[${line.text.slice(line.start, line.end)}]${line.text.slice(line.end)}`;
}

describe("the line of a diagnostic", () => {
  test.each([
    ["the word at its position", "modell: x", at(1, 1), "[modell]: x"],
    ["a name with a hyphen", '<A few-shot="x">', at(1, 4), '<A [few-shot]="x">'],
    ["a word in another alphabet", "a größe b", at(1, 3), "a [größe] b"],
    ["a position without a word", "Be <5", at(1, 4), "Be []<5"],
    ["the end of a line", "Be", at(1, 3), "Be[]"],
    ["a column beyond the end", "Be", at(1, 9), "Be[]"],
    ["what its fix replaces", "a <!-- b --> c", at(1, 3, { start: 2, end: 12, text: "" }), "a [<!-- b -->] c"],
    ["a fix of several lines, as far as this one", "a <b\nc>", at(1, 3, { start: 2, end: 7, text: "" }), "a [<b]"],
    ["a fix that is elsewhere, as if there were none", "a b", at(1, 1, { start: 2, end: 3, text: "" }), "[a] b"],
    ["a file with a byte-order mark", "\uFEFFa <!-- -->", at(1, 3, { start: 3, end: 11, text: "" }), "a [<!-- -->]"],
    ["every kind of line end", "a\r\nb\rc\nd", at(3, 1), "[c]"],
    ["a line before a carriage return", "a\r\nb\r\n", at(2, 1), "[b]"],
    ["an empty last line", "a\n", at(2, 1), "[]"],
  ])("marks %s", (_name, text, diagnostic, expected) => {
    expect(marked(text, diagnostic)).toBe(expected);
  });

  test("is absent if the file has no such line", () => {
    expect(marked("a\n", at(3, 1))).toBeUndefined();
  });
});

describe("a secret in the line of a diagnostic", () => {
  const secret = "abcdef0123456789abcdef0123456789";
  const keys = createRedactor({ environment: { MY_API_KEY: secret } });
  const redact = (text: string): string => keys.text(text);

  test.each([
    ["before the mark", `a ${secret} <5`, at(1, 36), "a [redacted MY_API_KEY] []<5"],
    ["behind it", `word ${secret}`, at(1, 1), "[word] [redacted MY_API_KEY]"],
    ["at it", `key: ${secret}`, at(1, 6), "key: [[redacted MY_API_KEY]]"],
    ["on both sides", `${secret} {lone ${secret}`, at(1, 34), "[redacted MY_API_KEY] []{lone [redacted MY_API_KEY]"],
    ["around it", `key: ${secret}.`, at(1, 20), "key: [[redacted MY_API_KEY]]."],
  ])("is redacted %s", (_name, text, diagnostic, expected) => {
    expect(marked(text, diagnostic, redact)).toBe(expected);
  });

  test("is not shown if it has several lines", () => {
    const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    const text = `a {b\n-----BEGIN PRIVATE KEY-----\n${body}\n${body}\n-----END PRIVATE KEY-----\nc {d\n`;
    expect(marked(text, at(3, 1), redact)).toBeUndefined();
    expect(marked(text, at(1, 3), redact)).toBe("a []{b");
    expect(marked(text, at(6, 3), redact)).toBe("c []{d");
  });
});
