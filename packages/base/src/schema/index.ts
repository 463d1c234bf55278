export { type Located, type Path, type TextEdit, type TextRange, unlocated } from "../located/located.ts";
export { memberSchema } from "./keywords.ts";
export type { Finding, Schema } from "./schema.ts";
export { jsonSchemaOf, listOf, mapOf, positive, textOf, truthOf, wordOf } from "./schema-parts.ts";
export { type Problem, type Validated, validate, type Wording } from "./validate.ts";
