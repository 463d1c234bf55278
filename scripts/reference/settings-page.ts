import type { JsonSchema } from "@mdx-ai/base";
import { settingsSchema, userSettingsSchema } from "../../packages/parser/src/settings/index.ts";
import { tableOf } from "./markdown-table.ts";

/** `docs/reference/settings.md`: every key of the frontmatter and of the user's settings. */
export const settingsPage = (): string =>
  [
    "# Settings",
    "## The frontmatter of agent.mdx",
    "An unknown key is a warning with a suggestion; a value that does not fit is an error at its line and column.",
    keyTable(settingsSchema),
    "## Your settings: ~/.config/mdx-ai/settings.yaml",
    "They hold for every agent. What you deny here stays denied, whatever a directory or a flag says. " +
      "See [permissions](../permissions.md) and [the sandbox](../sandbox.md).",
    keyTable(userSettingsSchema),
    "",
  ].join("\n\n");

const keyTable = (schema: JsonSchema): string => tableOf(["key", "value", "meaning"], rowsOf(schema, ""));

function rowsOf(schema: unknown, path: string): readonly (readonly string[])[] {
  return Object.entries(recordOf(recordOf(schema)["properties"])).flatMap(([name, value]) => {
    const { title, description } = recordOf(value);
    const key = `${path}${name}`;
    return [[`\`${key}\``, textOf(title), textOf(description)], ...rowsOf(value, `${key}.`)];
  });
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
