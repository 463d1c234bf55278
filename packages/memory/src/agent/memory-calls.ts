import type { JsonObject, ToolSchema } from "@mdx-ai/models";
import type { ModelTool } from "./protocol.ts";

/** Characters that the service accepts in a context. */
const LONGEST_CONTEXT = 65_536;

/** Characters that the service accepts in a summary. */
export const LONGEST_SUMMARY = 512;

const text = (description: string): JsonObject => ({ type: "string", description });

const place = { vault_id: text("The vault's id."), memory_id: text("The memory's id.") };

/** The tools that the model may call: always both and in this order, so that requests begin alike. */
export const MODEL_TOOLS: readonly ToolSchema[] = [
  {
    name: "add_entry",
    description: "Adds an entry for one message to the memory.",
    parameters: {
      type: "object",
      properties: {
        ...place,
        raw_entry: text("The text of the message, unchanged."),
        summary: text(`A summary of the message, at most ${LONGEST_SUMMARY} characters.`),
        tags: {
          type: "object",
          description: "Optional metadata about the message.",
          additionalProperties: { type: "string" },
        },
      },
      required: ["vault_id", "memory_id", "raw_entry", "summary"],
    },
  },
  {
    name: "put_context",
    description: "Saves the context document of the memory. It replaces the one before.",
    parameters: {
      type: "object",
      properties: { ...place, content: text("The whole context document.") },
      required: ["vault_id", "memory_id", "content"],
    },
  },
];

/** What is wrong with the arguments of a call, as a model reads it; undefined if nothing. Only what the model must make counts. */
export function argumentsProblem(tool: ModelTool, args: JsonObject): string | undefined {
  const name = tool === "add_entry" ? "summary" : "content";
  const value = args[name];
  if (typeof value !== "string" || value.trim() === "") return `${tool} needs a text as \`${name}\``;
  if (tool === "put_context" && value.length > LONGEST_CONTEXT)
    return `\`content\` has ${value.length} characters, and ${LONGEST_CONTEXT} are allowed`;
  return undefined;
}

/** The tags that a model chose, as texts. */
export function tagsOf(args: JsonObject): Readonly<Record<string, string>> {
  const { tags } = args;
  if (typeof tags !== "object" || tags === null || Array.isArray(tags)) return {};
  const entries = Object.entries(tags).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}
