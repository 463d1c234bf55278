import { describe, expect, test } from "bun:test";
import { uglySchemas } from "../../../../test/support/tool-corpus.ts";
import { adaptSchema } from "./adapt-schema.ts";
import { schemaFamily } from "./families.ts";

const models = {
  anthropic: { vendor: "anthropic", model: "claude-sonnet-5-5", host: "api.anthropic.com" },
  openai: { vendor: "openai", model: "gpt-5.4", host: "api.openai.com" },
  other: { vendor: "groq", model: "llama", host: "api.groq.com" },
  moonshot: { vendor: "openai", model: "kimi-k3", host: "api.moonshot.ai" },
  gemini: { vendor: "gemini", model: "gemini-3.8-flash", host: "generativelanguage.googleapis.com" },
} as const;

type Family = keyof typeof models;

/** The parameter `a` of a schema, or all of it, as a family gets it. */
const sent = (family: Family, schema: object) =>
  adaptSchema(JSON.parse(JSON.stringify(schema)), schemaFamily(models[family])).schema;
const sentParameter = (family: Family, a: object | boolean) =>
  sent(family, { type: "object", properties: { a } })["properties"];

const text = { type: "string" };

describe("a schema is sent", () => {
  test("as one object, where the root has alternatives", () => {
    const whole = { type: "object", properties: { content: text, source_url: { type: "string", format: "uri" } } };
    const needs = { description: "Needs content, or source_url." };
    expect(sent("anthropic", uglySchemas["anyOf of objects"] ?? {})).toEqual({ ...whole, ...needs });
    expect(sent("other", uglySchemas["oneOf told apart by a constant"] ?? {})).toEqual({
      type: "object",
      properties: {
        action: {
          anyOf: [
            { type: "string", enum: ["list"] },
            { type: "string", enum: ["get"] },
          ],
        },
        limit: { type: "integer" },
        id: text,
      },
      required: ["action"],
      description: "Needs action, or action and id.",
    });
    expect(sent("openai", uglySchemas["allOf of a definition"] ?? {})).toMatchObject({
      type: "object",
      properties: { a: text, b: { type: "number" } },
      required: ["a"],
    });
  });

  test.each<[Family, object | boolean, object]>([
    ["openai", { type: ["string", "array"] }, { type: ["string", "array"], items: {} }],
    ["openai", { type: ["object", "null"] }, { type: ["object", "null"], properties: {} }],
    ["gemini", { type: ["string", "null"] }, { type: "string", nullable: true }],
    ["moonshot", { type: ["string", "null"] }, { anyOf: [text, { type: "null" }] }],
    ["other", { type: ["string", "null"] }, { type: ["string", "null"] }],
    [
      "gemini",
      { anyOf: [text, { type: "null" }], description: "Who" },
      { ...text, description: "Who", nullable: true },
    ],
    ["gemini", { enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
    ["gemini", { type: "integer", enum: [0, 1] }, { type: "integer", description: "One of: 0, 1." }],
    ["gemini", { type: "string", enum: ["", "a"] }, { type: "string", description: 'One of: "", "a".' }],
    ["gemini", { const: "x" }, { type: "string", enum: ["x"] }],
    ["openai", { const: "x" }, { const: "x" }],
    ["gemini", { type: "string", format: "uri" }, { type: "string", description: "Format: uri." }],
    ["gemini", { type: "string", format: "date-time" }, { type: "string", format: "date-time" }],
    [
      "other",
      { type: "string", pattern: "\\d+", description: "Digits" },
      { ...text, description: "Digits. Pattern: \\d+" },
    ],
    ["openai", { type: "string", pattern: "^(?!a)" }, { ...text, description: "Pattern: ^(?!a)" }],
    ["anthropic", { type: "string", pattern: "^(?!a)" }, { type: "string", pattern: "^(?!a)" }],
    [
      "moonshot",
      { type: "integer", minimum: 1, maximum: 5 },
      { type: "integer", description: "At least 1. At most 5." },
    ],
    ["openai", { type: "array" }, { type: "array", items: {} }],
    ["openai", { type: "object" }, { type: "object", properties: {} }],
    ["anthropic", { type: "array", items: [text] }, { type: "array", prefixItems: [text] }],
    ["other", { type: "array", prefixItems: [text], items: false }, { type: "array", items: text }],
    ["other", {}, { type: ["string", "number", "boolean", "object", "array", "null"] }],
    ["openai", true, {}],
    ["anthropic", true, true as never],
    ["anthropic", { type: "number", minimum: 0, exclusiveMinimum: true }, { type: "number", minimum: 0 }],
    [
      "other",
      { type: "object", patternProperties: { x: text }, additionalProperties: false },
      { type: "object", properties: {} },
    ],
    ["other", { anyOf: [{ not: {} }, text] }, text],
    [
      "other",
      { oneOf: [text, { anyOf: [{ type: "number" }, { type: "null" }] }] },
      { anyOf: [text, { type: "number" }, { type: "null" }] },
    ],
  ])("%s: %j", (family, schema, expected) => {
    expect(sentParameter(family, schema)).toEqual({ a: expected } as never);
  });

  test("with what a reference leads to, where references are not taken", () => {
    const neighbours = uglySchemas["references with neighbours"] ?? {};
    expect(sent("anthropic", neighbours)).toEqual(neighbours);
    expect(sent("moonshot", neighbours)["properties"]).toEqual({
      assetRef: { type: "object", properties: { id: { type: "integer" } }, description: "Which asset" },
      value: text,
    });
    expect(JSON.stringify(sent("gemini", uglySchemas["references without an end"] ?? {}))).not.toContain("$ref");
  });

  test("in bounded size, with any definitions", () => {
    const each = Array.from({ length: 12 }, (_, level) => {
      const ref = { $ref: `#/$defs/d${level + 1}` };
      return [`d${level}`, { type: "object", properties: { a: ref, b: ref, c: ref, d: ref } }];
    });
    const bomb = { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: Object.fromEntries(each) };
    const before = performance.now();
    expect(JSON.stringify(sent("gemini", bomb)).length).toBeLessThan(500_000);
    expect(performance.now() - before).toBeLessThan(2000);
  });

  test("as it is, where nothing has to change", () => {
    const schema = {
      type: "object",
      properties: { a: { oneOf: [text, { type: "number" }] } },
      $schema: "x",
      required: ["a"],
    };
    const { schema: same } = adaptSchema(schema, schemaFamily(models.anthropic));
    expect(same).toBe(schema);
  });
});

test.each([
  ["openrouter", "google/gemini-3-pro", "gemini"],
  ["openrouter", "moonshotai/kimi-k2", "moonshot"],
  ["openrouter", "anthropic/claude-opus-5", "anthropic"],
  ["openrouter", "openai/gpt-5.4", "openai"],
  ["openai", "bedrock/anthropic.claude-v5", "anthropic"],
  ["openai", "gpt-oss-120b", "other"],
  ["ollama", "qwen3", "other"],
  ["anthropic", "kimi-k2", "moonshot"],
] as const)("the model counts before the vendor: %s/%s is %s", (vendor, model, family) => {
  expect(schemaFamily({ vendor, model, host: "127.0.0.1" })).toBe(schemaFamily(models[family]));
});
