import { isBoundedJsonObject, jsonValue } from "@mdx-ai/base";
import type { BuiltinTool, ToolOrigin } from "@mdx-ai/loop";
import type { ToolCall, ToolSchema } from "@mdx-ai/models";

/** How a model finds and calls deferred tools: those whose schemas it does not receive with each request. */
export interface ToolSearch {
  readonly search: BuiltinTool;
  readonly use: BuiltinTool;
  /** The call that a call of the tool `use` stands for; undefined if it names no tool. */
  usedCall(call: ToolCall): Promise<ToolCall | undefined>;
  /** The reverse: the call of the tool `use`, by its wire name, that stands for a call. */
  callOf(call: ToolCall, use: string): ToolCall;
}

/** The deferred tools, and the others. */
export interface SearchedTools {
  readonly origins: readonly ToolOrigin[];
  schemas(): readonly ToolSchema[];
  /** Whether another tool has a name. */
  isTaken(name: string): boolean;
}

/** Tools that one search returns by default, and at most. */
const FOUND = 5;
const MAX_FOUND = 20;

/** Names that a search without a result lists. */
const MAX_NAMED = 100;

/** The name of the tool that finds deferred tools. */
const TOOL_SEARCH = "tool_search";

/** The name of the tool that calls them: their own names are unknown to the provider. */
const USE_TOOL = "use_tool";

/** The schemas of the two tools change only with the origins and the taken names. */
export function toolSearch({ origins, schemas: deferred, isTaken }: SearchedTools): ToolSearch {
  const free = (name: string): string => (isTaken(name) ? free(`${name}_`) : name);
  const [searchName, useName] = [free(TOOL_SEARCH), free(USE_TOOL)];
  return {
    search: {
      name: searchName,
      description: `Finds further tools by words of their names and descriptions, and returns their parameters. There are ${origins.length}: ${sourcesText(origins)}. Call a tool that it returns with ${useName}.`,
      effects: "reads",
      aliases: ["search_tools", "find_tools", "list_tools"],
      parameters: {
        type: "object",
        properties: {
          query: { type: "string", description: "Words for what the tool should do, or its name" },
          limit: { type: "integer", minimum: 1, maximum: MAX_FOUND, description: `Default: ${FOUND}` },
        },
        required: ["query"],
        additionalProperties: false,
      },
      execute: async ({ query, limit }) => {
        const tools = deferred();
        return foundText(await search(tools, String(query), typeof limit === "number" ? limit : FOUND), tools);
      },
    },
    use: {
      name: useName,
      description: `Calls a tool that ${searchName} found.`,
      effects: "reads",
      parameters: {
        type: "object",
        properties: {
          name: { type: "string", description: "The name of the tool" },
          arguments: { type: "object", description: "Its arguments, by its parameters" },
        },
        required: ["name"],
        additionalProperties: false,
      },
      execute: async ({ name }) => {
        throw new Error(`there is no further tool ${JSON.stringify(name)}; find one with ${searchName}`);
      },
    },
    usedCall,
    callOf: ({ malformed, ...call }, use) => ({
      ...call,
      name: use,
      arguments: { name: call.name, arguments: malformed ?? call.arguments },
    }),
  };
}

async function usedCall({ malformed, ...call }: ToolCall): Promise<ToolCall | undefined> {
  const { readArguments } = await import("./arguments/understood-arguments.ts");
  const given = malformed === undefined ? call.arguments : readArguments(malformed);
  const name = given?.["name"];
  if (typeof name !== "string") return undefined;
  const inner = given?.["arguments"] ?? {};
  const parsed = typeof inner === "string" ? (jsonValue(inner) ?? inner) : inner;
  if (isBoundedJsonObject(parsed)) return { ...call, name, arguments: parsed };
  return { ...call, name, arguments: {}, malformed: typeof inner === "string" ? inner : JSON.stringify(inner) };
}

/** The tools that fit best, the best first. A name that is given exactly is the best. */
async function search(tools: readonly ToolSchema[], query: string, limit: number): Promise<readonly ToolSchema[]> {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch<{ id: number; name: string; description: string }>({
    fields: ["name", "description"],
    searchOptions: { boost: { name: 3 }, prefix: true, fuzzy: 0.2 },
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word !== ""),
  });
  index.addAll(tools.map(({ name, description }, id) => ({ id, name, description })));
  const named = tools.filter(({ name }) => name === query.trim());
  const found = index.search(query).flatMap(({ id }) => tools[Number(id)] ?? []);
  return [...new Set([...named, ...found])].slice(0, limit);
}

function foundText(found: readonly ToolSchema[], all: readonly ToolSchema[]): string {
  if (found.length === 0) {
    const names = all.slice(0, MAX_NAMED).map(({ name }) => name);
    const more = all.length - names.length;
    return `No tool fits. The further tools are ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
  }
  const texts = found.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  return texts.join("\n");
}

/** Each source with the number of its tools, such as "12 of the MCP server github". */
function sourcesText(origins: readonly ToolOrigin[]): string {
  const groups = Map.groupBy(origins, (origin) => origin);
  return [...groups].map(([origin, { length }]) => `${length} of ${originText(origin)}`).join(", ");
}

function originText(origin: ToolOrigin): string {
  const [kind, name = ""] = origin.split(/:(.*)/s);
  return kind === "mcp" ? `the MCP server ${name}` : `the ${kind} ${name}`;
}
