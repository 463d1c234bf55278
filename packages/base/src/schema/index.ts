export { type Located, type Path, positionIn, type TextEdit, type TextRange, unlocated } from "../located/located.ts";
export { memberSchema } from "./keywords.ts";
export { modelSettings } from "./model-settings.ts";
export type { Finding, Schema } from "./schema.ts";
export { jsonSchemaOf, listOf, mapOf, positive, textOf, truthOf, whole, wordOf } from "./schema-parts.ts";
export { type Problem, problemText, type Validated, validate, type Wording } from "./validate.ts";
