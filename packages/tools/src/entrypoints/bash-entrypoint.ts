import { isRecord, type JsonObject, type JsonValue, shellWord } from "@mdx-ai/base";
import type { BuiltinToolContext } from "@mdx-ai/loop";
import {
  BASE_DIRECTORY,
  type EntrypointMistake,
  type ShellTemplate,
  shellTemplate,
  type TemplateArgument,
} from "@mdx-ai/parser/entrypoints";
import { DEFAULT_SECONDS } from "@mdx-ai/sandbox";
import { shellResult } from "../bash.ts";
import {
  type Entrypoint,
  type EntrypointContext,
  EntrypointError,
  type EntrypointTool,
  givenArguments,
  valueText,
} from "./entrypoint.ts";

/** `bash:TEMPLATE`: a command that is checked, sandboxed and run like a command of the tool `bash`. */
export const bashEntrypoint: Entrypoint = { tool: bashTool };

function bashTool({ tool, folder, names, options }: EntrypointContext): EntrypointTool | EntrypointMistake {
  const template = shellTemplate(tool.entrypoint.target, names);
  if (template.kind === "mistake") return template;
  const commandOf = (args: JsonObject): string => shellCommand({ template, schema: tool.schema, folder }, args);
  const { environment, sandbox } = options;
  const seconds = tool.timeout ?? DEFAULT_SECONDS.shell;
  return {
    access: async (args) => ({ kind: "command", command: commandOf(args) }),
    execute: async (args, context: BuiltinToolContext) => {
      const { runGranted } = await import("../granted-shell.ts");
      const command = commandOf(args);
      return shellResult(await runGranted({ environment, sandbox, command, cwd: context.cwd, seconds }, context));
    },
  };
}

interface CommandParts {
  readonly template: ShellTemplate;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject;
  /** The folder of the skill. Absolute. */
  readonly folder: string;
}

/**
 * The command of a template with these arguments. Quotes each value, so that it stays one word; items of a list that is a
 * separate word become one word each; absent values are left out. Throws `EntrypointError` for a value that the program would
 * take for an option, unless the schema restricts it.
 */
function shellCommand({ template, schema, folder }: CommandParts, args: JsonObject): string {
  const given = givenArguments(args);
  if (template.kind === "command") return wholeCommand(template.name, given[template.name]);
  const values: JsonObject = { [BASE_DIRECTORY]: folder, ...given };
  let isBegun = false;
  return template.parts
    .map((part) => {
      if (typeof part === "string") return part;
      const value = values[part.name];
      const text = argumentText(
        { ...part, maybeOption: part.maybeOption && !(part.follows && isBegun) },
        value,
        schema,
      );
      isBegun = (part.follows && isBegun) || (value !== undefined && valueText(value) !== "");
      return text;
    })
    .join("");
}

function wholeCommand(name: string, value: JsonValue | undefined): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new EntrypointError(`the argument ${JSON.stringify(name)} is the command, and it is missing`);
}

function argumentText(argument: TemplateArgument, value: JsonValue | undefined, schema: JsonObject): string {
  const { quotes, lead, trail, isWord } = argument;
  if (value === undefined) return "";
  const words = isWord && quotes === "none" && Array.isArray(value) ? value.map(valueText) : [valueText(value)];
  if (argument.maybeOption && typeof value !== "number") {
    for (const word of words) if (word.startsWith("-")) requireRestricted(argument.name, schema);
  }
  return `${lead}${words.map((word) => quotedText(word, argument)).join(" ")}${trail}`;
}

/** Values that the author lists are allowed. */
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

function quotedText(text: string, { quotes, isWord }: TemplateArgument): string {
  switch (quotes) {
    case "none":
      return isWord ? shellWord(text) : `'${insideSingle(text)}'`;
    case "single":
      return insideSingle(text);
    case "double":
      return text.replace(/[\\"$`]/g, "\\$&");
  }
}

const insideSingle = (text: string): string => text.replaceAll("'", `'\\''`);
