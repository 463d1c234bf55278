export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema 2020-12 of an object, as a model receives it for the parameters of a tool. */
export type JsonSchema = JsonObject;
