import { describe, expect, test } from "bun:test";
import {
  MalformedPermissionError,
  type PermissionPattern,
  type PermissionRule,
  type PermissionSettings,
  patternText,
  permissionPattern,
  permissionRules,
} from "@mdx-ai/parser";

describe("a pattern names a tool, and in parentheses what its call touches", () => {
  const rows: readonly [string, PermissionPattern][] = [
    ["bash", { tool: "bash" }],
    ["*", { tool: "*" }],
    ["mcp.*", { tool: "mcp.*" }],
    ["bash(git *)", { tool: "bash", subject: "git *" }],
    ["bash(echo (a) $(b))", { tool: "bash", subject: "echo (a) $(b)" }],
    ["write_file(out/**)", { tool: "write_file", subject: "out/**" }],
    ["weather(city=V*)", { tool: "weather", subject: "city=V*" }],
    ["ask me", { tool: "ask me" }],
    ["wetter.für.heute", { tool: "wetter.für.heute" }],
    ["__proto__", { tool: "__proto__" }],
    ["constructor(x)", { tool: "constructor", subject: "x" }],
  ];
  for (const [text, expected] of rows) {
    test(text, () => expect(permissionPattern(text)).toStrictEqual(expected));
    test(`${text} is written as it was read`, () => expect(patternText(expected)).toBe(text));
  }
});

describe("no pattern is", () => {
  const rows: readonly [string, string][] = [
    ["nothing", ""],
    ["a blank", " "],
    ["what begins with a blank", " bash"],
    ["what ends with a blank", "bash "],
    ["a blank between tool and subject", "bash (git *)"],
    ["parentheses that are not closed", "bash(git *"],
    ["parentheses that are not opened", "bash)"],
    ["parentheses without a tool", "(git *)"],
    ["empty parentheses", "bash()"],
    ["blank parentheses", "bash( )"],
    ["something after the parentheses", "bash(git *) now"],
    ["alternatives in braces", "{read,write}_file"],
    ["a class in brackets", "ba[st]h"],
    ["a negation", "!bash"],
    ["two lines", "bash(git *\nrm *)"],
    ["a control character", "ba\u0000sh"],
    ["a terminal's sequence", "bash(\u001B[2J)"],
    ["a text of a thousand and one characters", "a".repeat(1_001)],
  ];
  for (const [name, text] of rows) {
    test(name, () => {
      expect(permissionPattern(text)).toBeUndefined();
      expect(() => permissionRules({ [text]: "deny" })).toThrow(MalformedPermissionError);
    });
  }
});

describe("rules stand in the order of the map", () => {
  const rows: readonly [string, PermissionSettings, readonly PermissionRule[]][] = [
    ["none of an empty map", {}, []],
    [
      "an action a pattern",
      { bash: "ask", "bash(git *)": "allow" },
      [
        { tool: "bash", action: "ask" },
        { tool: "bash", subject: "git *", action: "allow" },
      ],
    ],
    [
      "lists, in the order in which they were written",
      { write_file: { deny: ["out/keys/**"], allow: ["out/**", "tmp/**"] }, "mcp.*": "ask" },
      [
        { tool: "write_file", subject: "out/keys/**", action: "deny" },
        { tool: "write_file", subject: "out/**", action: "allow" },
        { tool: "write_file", subject: "tmp/**", action: "allow" },
        { tool: "mcp.*", action: "ask" },
      ],
    ],
    [
      "names that mean something to JavaScript alone",
      JSON.parse('{"__proto__": "deny"}'),
      [{ tool: "__proto__", action: "deny" }],
    ],
  ];
  for (const [name, settings, expected] of rows) {
    test(name, () => expect(permissionRules(settings)).toStrictEqual([...expected]));
  }

  test("a map after a pattern with parentheses is refused, and so is a blank subject", () => {
    expect(() => permissionRules({ "bash(git *)": { allow: ["x"] } })).toThrow(MalformedPermissionError);
    expect(() => permissionRules({ bash: { deny: [" "] } })).toThrow("cannot read the permission pattern `bash( )`");
  });
});
