/** An object with these members and no others, as SARIF has them. */
const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []): object => ({
  ...{ type: "object", additionalProperties: false, properties, required },
});

const listOf = (items: object, more: object = {}): object => ({ type: "array", items, ...more });

const text = { type: "string" };
const count = { type: "integer", minimum: 1 };
const message = object({ text }, ["text"]);
const level = { enum: ["none", "note", "warning", "error"] };

const rule = object({ id: text, shortDescription: message, defaultConfiguration: object({ level }) }, ["id"]);

const location = object({
  physicalLocation: object({
    artifactLocation: object({
      uri: { type: "string", pattern: "^[A-Za-z0-9._~!$&'()*+,;=:@/%-]*$" },
      uriBaseId: text,
    }),
    region: object({ startLine: count, startColumn: count }),
  }),
});

const result = object(
  {
    ruleId: text,
    ruleIndex: { type: "integer", minimum: -1 },
    level,
    message,
    locations: listOf(location),
  },
  ["message"],
);

const run = object(
  {
    tool: object(
      { driver: object({ name: text, semanticVersion: text, rules: listOf(rule, { uniqueItems: true }) }, ["name"]) },
      ["driver"],
    ),
    columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
    results: listOf(result),
  },
  ["tool"],
);

/** The part of SARIF 2.1.0 (OASIS, sections 3.13 to 3.50) that a linter writes, with its rules about members and values. */
export const SARIF_SCHEMA: object = object(
  { $schema: { type: "string", pattern: "^https://" }, version: { const: "2.1.0" }, runs: listOf(run) },
  ["version", "runs"],
);
