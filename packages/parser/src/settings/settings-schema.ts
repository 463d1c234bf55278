import type { JsonSchema } from "../types/json.ts";

const noEffect = "Has no effect in this version.";

/**
 * The JSON Schema of agent.mdx's frontmatter, for editors and for the parser. A `title` says what is expected;
 * `x-supported: false` marks settings that this version knows but does not act on.
 */
export const settingsSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "settings of an agent",
  description: "The frontmatter of agent.mdx.",
  type: "object",
  additionalProperties: false,
  properties: {
    name: {
      title: "a text",
      description: "The agent's name where no `# Agent: Name` heading gives one.",
      type: "string",
      minLength: 1,
      pattern: "\\S",
    },
    description: { title: "a text", description: "What the agent is for, in a line.", type: "string" },
    model: {
      title: "a model such as `anthropic/claude-sonnet-5`",
      description: "Provider and model, separated by a slash.",
      type: "string",
      minLength: 1,
      pattern: "^\\S+$",
    },
    temperature: {
      title: "a number from 0 to 2",
      description: "How freely the model chooses its words; sent only where it is set.",
      type: "number",
      minimum: 0,
      maximum: 2,
    },
    max_tokens: {
      title: "a whole number above 0",
      description: "The longest answer of the model, in tokens.",
      type: "integer",
      minimum: 1,
    },
    limits: {
      title: "a map of limits",
      description: "What a prompt may use up.",
      type: "object",
      additionalProperties: false,
      properties: {
        turns: {
          title: "a whole number above 0",
          description: "Model calls of one prompt; 50 where it is not set.",
          type: "integer",
          minimum: 1,
        },
        toolCalls: { description: noEffect, "x-supported": false },
        tokens: { description: noEffect, "x-supported": false },
        usd: { description: noEffect, "x-supported": false },
        seconds: { description: noEffect, "x-supported": false },
      },
    },
    schedule: {
      title: "an interval such as `30m` or `1h30m`",
      description: "How often the agent wakes where heartbeat.md names no interval: from one second to 24 days.",
      type: "string",
      pattern: "^(@every:?\\s+)?(\\d+(\\.\\d+)?(ms|[wdhms]))+$",
    },
    timezone: {
      title: "an IANA time zone such as `Europe/Vienna`",
      description: "The time zone of the heartbeat's times of day.",
      type: "string",
      minLength: 1,
    },
    thinking: { description: noEffect, "x-supported": false },
    context: { description: noEffect, "x-supported": false },
    builtins: { description: noEffect, "x-supported": false },
    permissions: {
      description: `${noEffect} A \`deny\` is refused, since it would not be held.`,
      "x-supported": false,
    },
    sandbox: { description: `${noEffect} \`required\` is refused, since it would not be held.`, "x-supported": false },
    mcp: { description: noEffect, "x-supported": false },
    skills: { description: noEffect, "x-supported": false },
    triggers: { description: noEffect, "x-supported": false },
    memory: { description: noEffect, "x-supported": false },
  },
};
