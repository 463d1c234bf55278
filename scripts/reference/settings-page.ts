import type { JsonSchema } from "@mdx-ai/base";
import { settingsSchema, userSettingsSchema } from "../../packages/parser/src/settings/index.ts";

/** `docs/reference/settings.md`: every key of the frontmatter and of the user's settings. */
export const settingsPage = (): string =>
  [
    "# Settings",
    "## The frontmatter of agent.mdx",
    "An unknown key is a warning with a suggestion; a value that does not fit is an error at its line and column.",
    keyList(settingsSchema),
    "## Your settings: ~/.config/mdx-ai/settings.yaml",
    "They apply to every agent. What you deny here stays denied, whatever a directory or a flag says. " +
      "See [permissions](../permissions.md) and [the sandbox](../sandbox.md).",
    keyList(userSettingsSchema, new Set(rowsOf(settingsSchema, ""))),
    "",
  ].join("\n\n");

/** Rows that are in both lists are described once. */
function keyList(schema: JsonSchema, known: ReadonlySet<string> = new Set()): string {
  const rows = rowsOf(schema, "");
  const same = rows.filter((row) => known.has(row)).map((row) => row.replace(/^- (`[^`]*`).*$/, "$1"));
  const own = rows.filter((row) => !known.has(row));
  return [...merged(own), ...(same.length === 0 ? [] : [`- ${same.join(", ")}: as in the frontmatter.`])].join("\n");
}

/** Rows that differ in their key alone become one row. */
const merged = (rows: readonly string[]): readonly string[] =>
  Map.groupBy(rows, (row) => row.slice(row.indexOf("`", 3)))
    .entries()
    .map(([meaning, alike]) => `- ${alike.map((row) => row.slice(2, row.indexOf("`", 3))).join("`, ")}${meaning}`)
    .toArray();

/** Keys whose own keys another page has: a server of a memory service has those of every MCP server. */
const DESCRIBED_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["hooks", " [The events](../hooks.md)."],
  ["memory.store", " The keys of a map are [those of a server](../mcp.md#add-a-server)."],
]);

function rowsOf(schema: unknown, path: string): readonly string[] {
  return Object.entries(recordOf(recordOf(schema)["properties"])).flatMap(([name, value]) => {
    const { title, description } = recordOf(value);
    const key = `${path}${name}`;
    const link = DESCRIBED_ELSEWHERE.get(key);
    const kind = kindOf(textOf(title), recordOf(value)["additionalProperties"] === false && link === undefined);
    const row = `- \`${key}\`${kind}: ${textOf(description)}${link ?? ""}`;
    return [row, ...(link === undefined ? rowsOf(value, `${key}.`) : [])];
  });
}

/** The kind of a value, without the article. The rows behind that of a map say what is in it. */
function kindOf(title: string, isDescribed: boolean): string {
  const kind = title.replace(/^an? /, "");
  return kind === "" || (isDescribed && kind.startsWith("map of ")) ? "" : ` (${kind})`;
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
