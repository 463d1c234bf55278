import { describe, expect, test } from "bun:test";
import type { JsonSchema } from "@mdx-ai/base";
import { fillDefaults } from "@mdx-ai/parser";

const node: JsonSchema = { properties: { size: { default: 1 }, next: { $ref: "#/$defs/node" } } };

describe("defaults are filled in", () => {
  test.each<[name: string, schema: JsonSchema, args: object, filled: object]>([
    ["where a property is left out", { properties: { a: { default: 1 }, b: {} } }, {}, { a: 1 }],
    ["not where it is given", { properties: { a: { default: 1 } } }, { a: 2 }, { a: 2 }],
    ["not where null is given", { properties: { a: { default: 1 } } }, { a: null }, { a: null }],
    [
      "of null, false and nothing",
      { properties: { a: { default: null }, b: { default: false }, c: { default: "" } } },
      {},
      { a: null, b: false, c: "" },
    ],
    [
      "after what is given, which keeps its order",
      { properties: { a: { default: 1 } } },
      { c: 1, b: 2 },
      { c: 1, b: 2, a: 1 },
    ],
    ["in objects", { properties: { o: { properties: { a: { default: 1 } } } } }, { o: {} }, { o: { a: 1 } }],
    ["not in objects that are left out", { properties: { o: { properties: { a: { default: 1 } } } } }, {}, {}],
    [
      "not in defaults, which stand as they are written",
      { properties: { o: { default: {}, properties: { a: { default: 1 } } } } },
      {},
      { o: {} },
    ],
    [
      "in every item",
      { properties: { l: { items: { properties: { a: { default: 1 } } } } } },
      { l: [{}, { a: 2 }, 3] },
      { l: [{ a: 1 }, { a: 2 }, 3] },
    ],
    [
      "in items by their place",
      { properties: { l: { prefixItems: [{ properties: { a: { default: 1 } } }], items: false } } },
      { l: [{}, {}] },
      { l: [{ a: 1 }, {}] },
    ],
    [
      "behind references, however deep",
      { $ref: "#/$defs/node", $defs: { node } },
      { next: { next: {} } },
      { next: { next: { size: 1 }, size: 1 }, size: 1 },
    ],
    [
      "of all schemas that hold",
      { allOf: [{ properties: { a: { default: 1 } } }, { properties: { a: { default: 2 }, b: { default: 3 } } }] },
      {},
      { a: 1, b: 3 },
    ],
    [
      "not of alternatives",
      { anyOf: [{ properties: { a: { default: 1 } } }], if: { properties: { b: { default: 1 } } } },
      {},
      {},
    ],
    [
      "not where the value is of another type",
      { properties: { o: { properties: { a: { default: 1 } } } } },
      { o: "x" },
      { o: "x" },
    ],
    [
      "and references in a circle end",
      { $ref: "#", allOf: [{ $ref: "#" }], properties: { a: { default: 1 } } },
      {},
      { a: 1 },
    ],
    [
      "and references to nowhere mean nothing",
      { $ref: "#/no", properties: { a: { $ref: "http://x/", default: 1 } } },
      {},
      { a: 1 },
    ],
  ])("%s", (_name, schema, args, filled) => {
    const given = JSON.parse(JSON.stringify(args));
    expect(JSON.stringify(fillDefaults(schema, given))).toBe(JSON.stringify(filled));
    expect(given).toStrictEqual(args);
  });

  test("under names that mean something to JavaScript", () => {
    const schema: JsonSchema = JSON.parse(
      '{"properties":{"__proto__":{"default":{"x":1}},"constructor":{"default":2}}}',
    );
    const filled = fillDefaults(schema, {});
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"x":1},"constructor":2}');
    expect(Reflect.get({}, "x")).toBeUndefined();
    const given = JSON.parse('{"__proto__":{"y":1},"toString":3}');
    expect(JSON.stringify(fillDefaults(schema, given))).toBe('{"__proto__":{"y":1},"toString":3,"constructor":2}');
  });

  test("anew for each call, so that a tool that changes its arguments changes no other's", () => {
    const schema: JsonSchema = { properties: { list: { default: [] } } };
    const [one, other] = [fillDefaults(schema, {}), fillDefaults(schema, {})];
    expect(one["list"]).not.toBe(other["list"]);
  });
});
