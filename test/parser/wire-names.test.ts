import { describe, expect, test } from "bun:test";
import { wireNames } from "@mdx-ai/parser";
import fc from "fast-check";
import { randomCases } from "../support/random-cases.ts";

describe("a wire name", () => {
  const long = "a".repeat(65);
  const rows: readonly [string, RegExp][] = [
    ["read_file", /^read_file$/],
    ["get-weather2", /^get-weather2$/],
    ["fs.list", /^fs_list$/],
    ["mcp.server.tool", /^mcp_server_tool$/],
    ["café", /^cafe$/],
    ["two words", /^two_words$/],
    ["погода", /^tool_[0-9a-f]{8}$/],
    ["", /^tool_[0-9a-f]{8}$/],
    [long, /^a{55}_[0-9a-f]{8}$/],
  ];
  for (const [name, wire] of rows) {
    test(`of ${JSON.stringify(name.slice(0, 20))}`, () => expect(wireNames([name]).get(name)).toMatch(wire));
  }
});

test("a name that is right keeps itself, whoever comes first", () => {
  const names = wireNames(["fs.list", "fs_list", "fs list"]);
  expect(names.get("fs_list")).toBe("fs_list");
  expect(new Set(names.values()).size).toBe(3);
});

test("any names get distinct wire names that are accepted, in the order given, the same in any order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ maxLength: 80 }), fc.constantFrom("a.b", "a_b", "a b", "é", "e"))),
      (names) => {
        const wire = wireNames(names);
        expect([...wire.keys()]).toEqual([...new Set(names)]);
        expect(new Set(wire.values()).size).toBe(wire.size);
        for (const value of wire.values()) expect(value).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        const reversed = wireNames(names.toReversed());
        for (const [name, value] of wire) expect(reversed.get(name)).toBe(value);
      },
    ),
    randomCases(200),
  );
});
