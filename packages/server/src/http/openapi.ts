import type { JsonObject, JsonSchema } from "@mdx-ai/base";
import { jsonSchemaOf, type Schema } from "@mdx-ai/base/schema";
import type { Route } from "./route.ts";

/** The description of an API in OpenAPI 3.1, from the table of routes: bodies have the schemas that check them. */
export function openApi(routes: readonly Route[], version: string): JsonObject {
  const paths = Map.groupBy(routes, ({ path }) => path);
  return {
    openapi: "3.1.1",
    info: {
      title: "mdx-ai",
      version,
      description: "Agents, their sessions, prompts, events and questions.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    paths: Object.fromEntries([...paths].map(([path, operations]) => [path, pathItem(operations)])),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Problem: PROBLEM },
      responses: {
        Problem: { description: "A problem", content: { "application/problem+json": { schema: ref("Problem") } } },
      },
    },
  };
}

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const PROBLEM: JsonObject = {
  description: "RFC 9457, with a word for programs and the mistakes of a body.",
  type: "object",
  required: ["type", "title", "status", "code", "detail"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    code: { type: "string" },
    detail: { type: "string" },
    errors: { type: "array", items: { type: "string" } },
  },
};

const pathItem = (routes: readonly Route[]): JsonObject =>
  Object.fromEntries(routes.map((route) => [route.method.toLowerCase(), operation(route)]));

function operation({ path, method, summary, isOpen, query = {}, headers = {}, body, answers }: Route): JsonObject {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => parameter(name, "path", { type: "string" }));
  const asked = Object.entries(query).map(([name, schema]) =>
    parameter(name, "query", bare(schema), schema.description),
  );
  const sent = Object.entries(headers).map(([name, text]) => parameter(name, "header", { type: "string" }, text));
  const parameters = [...named, ...asked, ...sent];
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[{}]/g, "").replace(/[^a-z]+(\w)/gi, (_, letter) => letter.toUpperCase())}`,
    summary,
    ...(isOpen && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { content: { "application/json": { schema: bare(body) } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(responseOf)),
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

const parameter = (
  name: string,
  place: "path" | "query" | "header",
  schema: JsonSchema,
  description?: string,
): JsonObject => ({
  ...{ name, in: place, schema },
  ...(place === "path" && { required: true }),
  ...(description !== undefined && { description }),
});

const responseOf = ([status, { description, type, schema }]: readonly [string, Route["answers"][number]]): [
  string,
  JsonObject,
] => [
  status,
  {
    description,
    ...(type !== undefined && { content: { [type]: schema === undefined ? {} : { schema: bare(schema) } } }),
  },
];

const bare = (schema: Schema): JsonSchema => jsonSchemaOf(schema);
