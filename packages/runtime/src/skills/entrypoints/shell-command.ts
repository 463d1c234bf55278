import type { JsonObject, JsonValue } from "@mdx-ai/models";
import { BASE_DIRECTORY, type ShellTemplate, type TemplateArgument } from "@mdx-ai/parser";
import { isRecord } from "@mdx-ai/parser/record";
import { EntrypointError, givenArguments } from "./entrypoint.ts";

interface CommandParts {
  readonly template: ShellTemplate;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject;
  /** The folder of the skill. Absolute. */
  readonly folder: string;
}

/**
 * The command of a template with these arguments. Each value is quoted, so that it stays one word whatever it contains; those
 * of a list that is a word of its own become one word each, and what is absent is left out. Throws `EntrypointError` for a value
 * that the program would take for an option, unless the schema restricts it.
 */
export function shellCommand({ template, schema, folder }: CommandParts, args: JsonObject): string {
  const given = givenArguments(args);
  if (template.kind === "command") return wholeCommand(template.name, given[template.name]);
  const values: JsonObject = { [BASE_DIRECTORY]: folder, ...given };
  return template.parts
    .map((part) => (typeof part === "string" ? part : argumentText(part, values[part.name], schema)))
    .join("");
}

function wholeCommand(name: string, value: JsonValue | undefined): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new EntrypointError(`the argument ${JSON.stringify(name)} is the command, and it is missing`);
}

function argumentText(argument: TemplateArgument, value: JsonValue | undefined, schema: JsonObject): string {
  const { quotes, lead, trail, isWord } = argument;
  if (value === undefined) return "";
  const words = isWord && quotes === "none" && Array.isArray(value) ? value.map(textOf) : [textOf(value)];
  if (argument.maybeOption && typeof value !== "number") {
    for (const word of words) if (word.startsWith("-")) requireRestricted(argument.name, schema);
  }
  return `${lead}${words.map((word) => quotedText(word, argument)).join(" ")}${trail}`;
}

/** What the author allows by name is no surprise. */
function requireRestricted(name: string, schema: JsonObject): void {
  const { properties } = schema;
  const property = isRecord(properties) ? properties[name] : undefined;
  const items = isRecord(property) && isRecord(property["items"]) ? property["items"] : {};
  const isRestricted = [property, items].some(
    (one) => isRecord(one) && ["enum", "const", "pattern"].some((keyword) => Object.hasOwn(one, keyword)),
  );
  if (isRestricted) return;
  throw new EntrypointError(
    `the argument ${JSON.stringify(name)} must not begin with "-": the program would take it for an option (the skill's author can write \`--\` before {${name}}, or give it a pattern)`,
  );
}

const textOf = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Characters that mean themselves in every shell. */
const PLAIN = /^[\w./@%+:,-]+$/;

function quotedText(text: string, { quotes, isWord }: TemplateArgument): string {
  switch (quotes) {
    case "none":
      return isWord && PLAIN.test(text) ? text : `'${insideSingle(text)}'`;
    case "single":
      return insideSingle(text);
    case "double":
      return text.replace(/[\\"$`]/g, "\\$&");
  }
}

const insideSingle = (text: string): string => text.replaceAll("'", `'\\''`);
