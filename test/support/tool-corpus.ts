import type { JsonObject } from "@mdx-ai/base";

/** Schemas as servers of the Model Context Protocol list them, each cut down to what a vendor has refused in it. */
export const uglySchemas: Readonly<Record<string, JsonObject>> = {
  // One of several, said beside the properties: code indexes, video tools, calendars.
  "anyOf of required names": {
    type: "object",
    properties: { route: { type: "string" }, file: { type: "string" } },
    anyOf: [{ required: ["route"] }, { required: ["file"] }],
  },
  // Notion: create-attachment.
  "anyOf of objects": {
    type: "object",
    anyOf: [
      { type: "object", properties: { content: { type: "string" } }, required: ["content"] },
      { type: "object", properties: { source_url: { type: "string", format: "uri" } }, required: ["source_url"] },
    ],
  },
  "oneOf told apart by a constant": {
    oneOf: [
      { type: "object", properties: { action: { const: "list" }, limit: { type: "integer" } }, required: ["action"] },
      { type: "object", properties: { action: { const: "get" }, id: { type: "string" } }, required: ["action", "id"] },
    ],
  },
  "allOf of a definition": {
    allOf: [{ $ref: "#/definitions/Base" }, { properties: { b: { type: "number" } } }],
    definitions: { Base: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } },
  },
  "a reference at the root": {
    $ref: "#/$defs/Input",
    $defs: { Input: { type: "object", properties: { query: { type: "string" } }, required: ["query"] } },
  },
  // Microsoft Graph.
  "names with a dollar": {
    type: "object",
    properties: {
      $top: { type: "integer" },
      $filter: { type: "string" },
      "@microsoft.graph.conflictBehavior": { enum: ["fail", "replace"] },
    },
    required: ["$top"],
  },
  // App Store Connect, Twilio, Firefly III.
  "names in brackets": {
    type: "object",
    properties: {
      "filter[name]": { type: "array", items: { type: "string" } },
      "accounts[]": { type: "array", items: { type: "number" } },
    },
  },
  "names of other scripts and lengths": {
    type: "object",
    properties: {
      名前: { type: "string" },
      "Purchase Date and Time": { type: "string" },
      [`${"a".repeat(80)}`]: { type: "string" },
    },
  },
  "deep names": {
    type: "object",
    properties: {
      body: {
        type: "object",
        properties: {
          "@odata.type": { type: "string" },
          list: { type: "array", items: { type: "object", properties: { $id: { type: "string" } } } },
        },
      },
    },
  },
  "no properties": { type: "object" },
  nothing: {},
  "null everywhere": JSON.parse(
    '{"type":"object","properties":null,"required":null,"additionalProperties":null,"description":null}',
  ),
  // Go and Python servers.
  "required: null within": JSON.parse(
    '{"type":"object","properties":{"a":{"type":"object","required":null}},"required":null}',
  ),
  "arrays without items": {
    type: "object",
    properties: { ids: { type: "array" }, rows: { type: "array", items: { type: "array" } } },
  },
  "tuples of draft 7": {
    type: "object",
    properties: {
      point: { type: "array", items: [{ type: "number" }, { type: "number" }], additionalItems: false, minItems: 2 },
    },
  },
  "tuples of 2020-12": {
    type: "object",
    properties: {
      figsize: {
        anyOf: [
          { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], maxItems: 2 },
          { type: "null" },
        ],
        default: [10, 6],
      },
    },
  },
  // The Dart server, a spreadsheet, Azure DevOps, GitLab.
  "enum without a type": {
    type: "object",
    properties: { keyValueType: { enum: ["int", "string"] }, mixed: { enum: ["a", 1, null, true] } },
  },
  "enum with an empty text": { type: "object", properties: { action: { type: "string", enum: ["list", "open", ""] } } },
  "enum of numbers": {
    type: "object",
    properties: { state: { type: "integer", enum: [0, 1, 2] }, rate: { enum: [0.5, 1] } },
  },
  "enum of nothing": { type: "object", properties: { a: { type: "string", enum: [] } } },
  "lists of types": {
    type: "object",
    properties: {
      a: { type: ["string", "null"] },
      b: { type: ["array", "null"], items: { type: ["object", "null"], properties: { value: true } } },
      c: { type: ["string", "integer", "boolean"] },
    },
  },
  // FastMCP and Pydantic.
  "optional values": {
    type: "object",
    properties: {
      user: { anyOf: [{ type: "string", format: "email" }, { type: "null" }], default: null, title: "User" },
      kind: { const: "insert_text", default: "insert_text" },
    },
  },
  // zod: `z.any().optional()`, `z.record(z.any())`.
  "what zod writes": {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      head: { anyOf: [{ not: {} }, { type: "number", exclusiveMinimum: 0 }] },
      map: { type: "object", additionalProperties: {} },
      any: {},
    },
    additionalProperties: false,
  },
  "schemas that are true and false": {
    type: "object",
    properties: { outputSchema: true, never: false },
    required: ["outputSchema"],
  },
  // Unity, Codex.
  "references with neighbours": {
    type: "object",
    properties: {
      assetRef: { $ref: "#/$defs/Asset", description: "Which asset" },
      value: { $ref: "#/$defs/Value", type: "string" },
    },
    $defs: {
      Asset: { type: "object", description: "An asset", properties: { id: { type: "integer" } } },
      Value: { type: "string" },
    },
  },
  "references without an end": {
    type: "object",
    properties: { block: { $ref: "#/$defs/Block" } },
    $defs: {
      Block: {
        type: "object",
        properties: { text: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Block" } } },
      },
    },
  },
  "references to nothing": {
    type: "object",
    properties: {
      a: { $ref: "https://example.com/schema.json" },
      b: { $ref: "#/definitions/none" },
      c: { $ref: "#/properties/a", description: "The same" },
    },
  },
  "formats and patterns": {
    type: "object",
    properties: {
      url: { type: "string", format: "uri", minLength: 1 },
      when: { type: "string", format: "date-time" },
      id: { type: "string", pattern: "^(?!-)[a-z]+$" },
      file: { type: "string", pattern: "\\.(json|md)$" },
      uuid: { type: "string", pattern: "^\\d{4}-\\p{L}$" },
    },
  },
  "limits of draft 4": {
    type: "object",
    properties: {
      n: { type: "number", minimum: 0, exclusiveMinimum: true },
      k: { type: "string", required: true },
      m: { type: "integer", multipleOf: 0 },
    },
  },
  "conditions and names by pattern": {
    type: "object",
    properties: {
      kind: { type: "string" },
      data: { type: "object", patternProperties: { "^x-": { type: "string" } }, additionalProperties: false },
    },
    if: { properties: { kind: { const: "a" } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { required: ["data"] },
    dependentRequired: { data: ["kind"] },
  },
  "notes for people": {
    $id: "https://example.com/tool",
    $comment: "x",
    title: "Tool",
    type: "object",
    properties: { a: { type: "string", title: "A", examples: ["x"], readOnly: true, deprecated: true, "x-order": 1 } },
  },
  "types that do not exist": {
    type: "object",
    properties: { a: { type: "any" }, b: { type: "float" }, c: { type: ["string", "date"] } },
  },
  "properties on other types": {
    type: "object",
    properties: { data: { type: "string", properties: { a: { type: "string" } }, required: ["a"] } },
  },
  "required names that are not declared": {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a", "b"],
  },
  "a list at the root": { type: "array", items: { type: "string" } },
  "names of keywords": {
    type: "object",
    properties: {
      type: { type: "string" },
      properties: { type: "object" },
      required: { type: "boolean" },
      enum: { type: "string" },
    },
    required: ["type"],
  },
};
