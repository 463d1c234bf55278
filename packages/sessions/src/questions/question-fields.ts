import { isJsonObject, type JsonObject, type JsonValue } from "@mdx-ai/base";
import { type Schema, truthOf, wordOf } from "@mdx-ai/base/schema";

/** One value that an MCP server asks for. */
export interface QuestionField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly type: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  /** The values of a choice with their labels. */
  readonly options: readonly FieldOption[];
  readonly default?: JsonValue;
}

interface FieldOption {
  readonly value: string;
  readonly label: string;
}

/** The fields of a form, in the order of its schema. */
export function questionFields(schema: JsonObject): readonly QuestionField[] {
  const { properties, required } = schema;
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]) => {
    const field = isJsonObject(property) ? property : {};
    const options = optionsOf(field);
    const items = isJsonObject(field["items"]) ? optionsOf(field["items"]) : [];
    return {
      name,
      title: textOf(field["title"]) || name,
      description: textOf(field["description"]),
      isRequired: needed.includes(name),
      type: typeOf(field, options),
      options: options.length > 0 ? options : items,
      ...(field["default"] !== undefined && { default: field["default"] }),
    };
  });
}

/** The schema for the values of a form. */
export const formSchema = (fields: readonly QuestionField[]): Schema => ({
  type: "object",
  additionalProperties: false,
  required: fields.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  properties: Object.fromEntries(fields.map((field) => [field.name, valueSchema(field)])),
});

function valueSchema({ type, options }: QuestionField): Schema {
  const word = wordSchema(options);
  switch (type) {
    case "text":
      return { title: "a text", type: "string" };
    case "number":
      return { title: "a number", type };
    case "integer":
      return { title: "a whole number", type };
    case "boolean":
      return truthOf("");
    case "choice":
      return word;
    case "choices":
      return { title: `a list, each ${word.title}`, type: "array", items: word };
  }
}

/** One of the options, or any text if there are none. */
const wordSchema = (options: readonly FieldOption[]): Schema =>
  options.length === 0
    ? { title: "a text", type: "string" }
    : wordOf(
        "",
        options.map(({ value }) => value),
      );

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

function typeOf({ type }: JsonObject, options: readonly FieldOption[]): QuestionField["type"] {
  if (type === "array") return "choices";
  if (options.length > 0) return "choice";
  return type === "number" || type === "integer" || type === "boolean" ? type : "text";
}

/** The options from `enum` and `enumNames`, or from `oneOf` and `anyOf` with titles. */
function optionsOf(field: JsonObject): readonly FieldOption[] {
  const { enum: values, enumNames, oneOf, anyOf } = field;
  if (Array.isArray(values)) {
    const labels = Array.isArray(enumNames) ? enumNames : [];
    return values.flatMap((value, index) =>
      typeof value === "string" ? [{ value, label: textOf(labels[index]) || value }] : [],
    );
  }
  const titled = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  return titled.flatMap((one) => {
    const value = isJsonObject(one) ? one["const"] : undefined;
    return isJsonObject(one) && typeof value === "string" ? [{ value, label: textOf(one["title"]) || value }] : [];
  });
}

/** Parses a typed value, or returns the problem. */
export type TypedValue = { readonly value: JsonValue } | { readonly problem: string };

export function typedValue(text: string, { type, options }: QuestionField): TypedValue {
  switch (type) {
    case "number":
    case "integer":
      return numberOf(text, type);
    case "boolean":
      if (/^(?:y|yes|true)$/i.test(text.trim())) return { value: true };
      return /^(?:n|no|false)$/i.test(text.trim()) ? { value: false } : { problem: "write yes or no" };
    case "choice": {
      const option = optionOf(text, options);
      return option === undefined ? { problem: choiceProblem(options) } : { value: option.value };
    }
    case "choices": {
      const words = text.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
      const chosen = options.length === 0 ? words : words.map((word) => optionOf(word, options)?.value);
      const values = chosen.flatMap((value) => value ?? []);
      return values.length < chosen.length ? { problem: `${choiceProblem(options)}, with commas` } : { value: values };
    }
    case "text":
      return { value: text };
  }
}

function numberOf(text: string, type: "number" | "integer"): TypedValue {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) return { problem: "write a number" };
  return type === "integer" && !Number.isInteger(value) ? { problem: "write a whole number" } : { value };
}

const optionOf = (text: string, options: readonly FieldOption[]): FieldOption | undefined =>
  options.find(({ value, label }) => value === text.trim() || label === text.trim());

const choiceProblem = (options: readonly FieldOption[]): string =>
  `write one of ${options.map(({ label }) => label).join(", ")}`;
