import type { JsonSchema } from "../types/json.ts";
import { mcpServerSchema } from "./mcp-server-schema.ts";

const name = (title: string, description: string): JsonSchema => ({
  title,
  description,
  type: "string",
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
});

const store: JsonSchema = {
  title: "`embedded`, or a map with the `command` or the `url` of a memory service",
  description:
    "Where memories are kept: `embedded` is a file in `state/`; a map is the MCP server of a memory service, as under `mcp`. `embedded` if not set.",
  type: ["string", "object"],
  pattern: "^embedded$",
  examples: ["embedded"],
  additionalProperties: false,
  properties: mcpServerSchema["properties"] ?? {},
};

/** The JSON Schema of `memory`. What goes together in a server is checked by `refusedMemory`. */
export const memorySchema: JsonSchema = {
  title: "`on`, `off`, or a map with some of `vault`, `memory`, `store` and `model`",
  description: "Whether the agent remembers its conversations across sessions, and where; off if not set.",
  type: ["string", "object"],
  pattern: "^(on|off)$",
  examples: ["on", "off"],
  additionalProperties: false,
  minProperties: 1,
  properties: {
    vault: name("the id or the title of a vault", "The vault that holds the memory; it is made if there is none."),
    memory: name("the id or the title of a memory", "The memory in the vault; it is made if there is none."),
    store,
    model: {
      title: "a model such as `anthropic/claude-sonnet-5-5`",
      description: "The model that remembers, such as a small one; the agent's own if not set.",
      type: "string",
      minLength: 1,
      pattern: "^\\S+$",
    },
  },
};
