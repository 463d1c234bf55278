import { describe, expect, test } from "bun:test";
import { UsageError } from "../failures/program-error.ts";
import { toolArguments } from "./tool-arguments.ts";

const schema = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "number" },
    whole: { type: "integer" },
    loud: { type: "boolean" },
    list: { type: "array" },
    any: {},
  },
};

describe("the arguments of a tool on the command line", () => {
  test("are read by the types of the schema", () => {
    const pairs = ["text=1", "count=-2.5", "whole=3", "loud=false", "list=[1]", "any=null", "unknown=x y"];
    expect(toolArguments(schema, pairs, undefined)).toEqual({
      text: "1",
      count: -2.5,
      whole: 3,
      loud: false,
      list: [1],
      any: null,
      unknown: "x y",
    });
  });

  test("keep every sign after the first =", () => {
    expect(toolArguments(schema, ["text=a=b==", "any="], undefined)).toEqual({ text: "a=b==", any: "" });
  });

  test("come from a JSON object, with pairs put over it", () => {
    expect(toolArguments(schema, ["count=2"], '{"text":"x","count":1}')).toEqual({ text: "x", count: 2 });
  });

  test("can be named like what every object has", () => {
    const args = toolArguments({}, ["constructor=1", "__proto__=2"], undefined);
    expect(Object.entries(args)).toEqual([
      ["constructor", 1],
      ["__proto__", 2],
    ]);
  });

  test.each([
    [["text"], undefined, "expected key=value"],
    [["=x"], undefined, "expected key=value"],
    [["count=ten"], undefined, "count needs a number"],
    [["count="], undefined, "count needs a number"],
    [["loud=yes"], undefined, "loud needs true or false"],
    [[], "{", "--json is not valid JSON"],
    [[], "[1]", "--json needs a JSON object"],
    [[], "null", "--json needs a JSON object"],
  ] as const)("%j with %j are refused: %s", (pairs, json, message) => {
    expect(() => toolArguments(schema, pairs, json)).toThrow(UsageError);
    expect(() => toolArguments(schema, pairs, json)).toThrow(message);
  });
});
