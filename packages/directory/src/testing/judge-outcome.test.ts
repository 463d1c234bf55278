import { describe, expect, test } from "bun:test";
import type { ExampleExpectation } from "@mdx-ai/parser";
import { type CallOutcome, judgeOutcome } from "./example-cases.ts";

const said = (text: string): CallOutcome => ({ text, isError: false });
const failed = (text: string): CallOutcome => ({ text, isError: true });

describe("an outcome is what an example expects", () => {
  test.each<[ExampleExpectation, CallOutcome]>([
    [{ type: "success" }, said("anything")],
    [{ type: "result", value: "12 °C\n" }, said("12 °C\n")],
    [{ type: "result", value: "" }, said("")],
    [{ type: "result", value: { a: 1, b: [true, null] } }, said(' {"b": [true, null], "a": 1.0}\n')],
    [{ type: "result", value: 3 }, said("3")],
    [{ type: "result", value: null }, said("null")],
    [{ type: "contains", text: "2 °" }, said("12 °C")],
    [{ type: "error", text: "no such" }, failed("there is no such city")],
  ])("%j by %j", async (expected, outcome) => {
    expect(await judgeOutcome(expected, outcome)).toBeUndefined();
  });
});

describe("an outcome is not what an example expects", () => {
  test.each<[ExampleExpectation, CallOutcome, string, readonly string[]]>([
    [{ type: "success" }, failed("broken"), "the tool failed", [" broken"]],
    [{ type: "result", value: "a" }, failed("a"), "the tool failed", [" a"]],
    [{ type: "contains", text: "a" }, failed("a"), "the tool failed", [" a"]],
    [{ type: "result", value: "a" }, said("a "), "the result differs (- expected, + received)", ["-a", "+a·"]],
    [{ type: "result", value: "3" }, said("3.0"), "the result differs (- expected, + received)", ["-3", "+3.0"]],
    [{ type: "result", value: 3 }, said("4"), "the result differs (- expected, + received)", ["-3", "+4"]],
    [{ type: "result", value: 3 }, said('"3"'), "the result differs (- expected, + received)", ["-3", '+"3"']],
    [{ type: "result", value: {} }, said("[]"), "the result differs (- expected, + received)", ["-{}", "+[]"]],
    [{ type: "result", value: [] }, said("none"), "expected JSON, but the result is not JSON", [" none"]],
    [{ type: "contains", text: "x" }, said("a\nb"), 'the result does not contain "x"', [" a", " b"]],
    [{ type: "error", text: "x" }, said("fine"), 'expected an error ("x"), but the tool succeeded', [" fine"]],
    [{ type: "error", text: "x" }, failed("y"), 'the error does not contain "x"', [" y"]],
  ])("%j by %j", async (expected, outcome, message, lines) => {
    const failure = await judgeOutcome(expected, outcome);
    expect(failure?.message).toBe(message);
    expect(failure?.lines.map(({ mark, text }) => `${mark}${text}`)).toStrictEqual([...lines]);
  });
});
