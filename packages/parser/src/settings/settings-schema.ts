import type { JsonSchema } from "@mdx-ai/base";
import { jsonSchemaOf, mapOf, modelSettings, positive, type Schema, textOf, whole, wordOf } from "@mdx-ai/base/schema";
import { scheduleInterval } from "../interval.ts";
import { isTimeZone } from "../time-zone.ts";
import { checkServer } from "./check-server.ts";
import { credentialsSchema } from "./credentials-schema.ts";
import { hooksSchema } from "./hooks-schema.ts";
import { mcpServerSchema } from "./mcp-server-schema.ts";
import type { WrittenSettings } from "./settings-reading.ts";
import {
  mcpSchema,
  permissionsSchema,
  sandboxSchema,
  statusbarSchema,
  toolOutputSchema,
} from "./user-settings-schema.ts";

/** A setting of a later version; one that is ignored would be relied upon in vain. */
const later = (title: string, type: Schema["type"] & object): Schema => ({
  title,
  description: "Not supported in this version: an error.",
  type,
  "x-supported": false,
});

const toolNames = (title: string, description: string): Schema => ({
  title,
  description,
  type: ["string", "array"],
  minLength: 1,
  items: { title: "the name of a tool", type: "string", minLength: 1 },
  examples: ["off"],
});

const tokens = "Input and output together, over all model calls";
const usd = "The cost of model calls whose prices are known";

const on: Schema = wordOf(
  "What happens at the limit: the prompt ends (`stop`, the default), or waits for an answer (`ask`): a yes allows as much again.",
  ["stop", "ask"],
);

const cost: Schema = mapOf("a map of `tokens`, `usd` and `on`", "What model calls may cost.", {
  tokens: whole(`${tokens}.`),
  usd: positive("a number of US dollars above 0", `${usd}.`),
  on: { ...on, description: "As `limits.on`, which is the default." },
});

/** The limits of a prompt's usage. */
const limits: Schema = mapOf(
  "a map of limits",
  "Limits on the usage of a prompt, a session, a day and the agent; the prompt that reaches a limit ends, or asks.",
  {
    turns: whole("Model calls of one prompt; default 50."),
    sessions: whole("Sessions of the agent that may run side by side; default 8.", 1),
    toolCalls: whole("Tool calls of one prompt; those beyond are answered with an error and do not end it.", 0),
    tokens: whole(`${tokens} of one prompt.`),
    usd: positive("a number of US dollars above 0", `${usd}, per prompt.`),
    on,
    seconds: positive("a number of seconds above 0", "How long one prompt may take."),
    repeats: whole("Identical tool calls with identical results in a row.", 2),
    session: { ...cost, description: "Limits of a session, over all its prompts." },
    day: { ...cost, description: "Limits of a day in the local time zone, over all sessions." },
    agent: { ...cost, description: "Limits of the agent, over all its days and sessions." },
  },
);

const context: Schema = mapOf("a map of settings of the context", "Which part of a session is sent to the model.", {
  messages: whole("The most messages that are sent: the last ones, starting at a message of the user."),
  compactAt: {
    title: "a number from 0.1 to 1 or `off`",
    description: "The part of the model's window beyond which older messages become a summary; default 0.8.",
    type: ["number", "string"],
    minimum: 0.1,
    maximum: 1,
    pattern: "^off$",
  },
  window: whole("Tokens that the model's window holds, if it is not known."),
});

const skillsSchema: Schema = mapOf(
  "a map of settings of the skills",
  "Where skills are besides `skills/`, and how a model learns of them.",
  {
    paths: {
      title: "a list of folders such as `[.agents/skills, ~/.claude/skills]`",
      description:
        "More folders with skills, relative to the agent directory or to the home folder; a nearer one hides a skill of the same name.",
      type: ["string", "array"],
      minLength: 1,
      items: { title: "a folder", type: "string", minLength: 1 },
    },
    catalog: wordOf("How the model receives the list of skills: as XML (default), or as the tiers of birdie.", [
      "xml",
      "tiers",
    ]),
  },
);

const logs: Schema = mapOf("a map of settings of the logs", "How long logs are kept.", {
  days: whole("Days after the last write after which a log is removed; default: logs are kept."),
});

const memoryStore: Schema = {
  title: "`embedded`, or a map with the `command` or the `url` of a memory service",
  description:
    "Where memories are kept: `embedded` is a file in `state/`; a map is the MCP server of a memory service, as under `mcp`. Default `embedded`.",
  type: ["string", "object"],
  pattern: "^embedded$",
  examples: ["embedded"],
  additionalProperties: false,
  isWhole: true,
  check: checkServer,
  properties: mcpServerSchema["properties"] ?? {},
};

const memorySchema: Schema = {
  title: "`on`, `off`, or a map with some of `vault`, `memory`, `store`, `model` and `embeddings`",
  description: "Whether the agent remembers its conversations across sessions, and where; default off.",
  type: ["string", "object"],
  pattern: "^(on|off)$",
  examples: ["on", "off"],
  additionalProperties: false,
  minProperties: 1,
  properties: {
    vault: {
      ...textOf("the id or the title of a vault", "The vault that holds the memory; it is made if there is none."),
      maxLength: 200,
    },
    memory: {
      ...textOf("the id or the title of a memory", "The memory in the vault; it is made if there is none."),
      maxLength: 200,
    },
    store: memoryStore,
    model: {
      title: "a model such as `anthropic/claude-sonnet-5-5`",
      description: "The model that remembers, such as a small one; default: the agent's own.",
      type: "string",
      minLength: 1,
      pattern: "^\\S+$",
    },
    embeddings: {
      title: "an embedding model such as `openai/text-embedding-3-small`",
      description: "The model whose vectors also find entries of an embedded store; default: words alone.",
      type: "string",
      minLength: 1,
      pattern: "^\\S+$",
    },
  },
};

/** What agent.mdx's frontmatter may say. */
export const agentSettings: Schema<WrittenSettings> = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "settings of an agent",
  description: "The frontmatter of agent.mdx.",
  type: "object",
  additionalProperties: false,
  properties: {
    name: textOf("a text", "The agent's name if no `# Agent: Name` heading gives one."),
    description: { title: "a text", description: "What the agent is for, in a line.", type: "string" },
    sections: wordOf(
      "Whether headings make sections (default `on`); with `off` the model receives all prose as it is written.",
      ["on", "off"],
    ),
    ...modelSettings(),
    limits,
    context,
    logs,
    permissions: permissionsSchema,
    sandbox: sandboxSchema,
    credentials: credentialsSchema,
    workspace: wordOf("Where tools work: `cwd` is the current working directory. Default: the agent directory.", [
      "cwd",
    ]),
    self_edit: wordOf(
      "Whether the agent may change its own files, by the tool `edit_self`: `ask` asks its user about each change, `on` only about one by which it may do more. Default: it may not.",
      ["ask", "on"],
    ),
    statusbar: statusbarSchema,
    tool_output: toolOutputSchema,
    schedule: {
      title: "an interval such as `30m` or `1h30m`",
      description: "How often the agent wakes if heartbeat.md names no interval: from one second to 24 days.",
      type: "string",
      pattern: "^(@every:?\\s+)?(\\d+(\\.\\d+)?(ms|[wdhms]))+$",
      accepts: (value) => typeof value !== "string" || scheduleInterval(value) !== undefined,
    },
    timezone: {
      title: "an IANA time zone such as `Europe/Vienna`",
      description: "The time zone of the heartbeat's times of day.",
      type: "string",
      minLength: 1,
      accepts: isTimeZone,
    },
    builtins: toolNames(
      "a list of builtin tools and of their groups `coding` and `aiagent`, or `off`",
      "The builtin tools that the agent has; default: `bash`, `read_file` and `write_file`, in a workspace those of `coding`, which adds `edit_file`, `grep`, `glob` and `list_files`. `aiagent` means `fs.list`, `fs.read`, `fs.write` and `shell.exec`.",
    ),
    tools: {
      ...toolNames(
        "a list of tools such as `[read_file, my_tool]`, `off`, or a map of `names` and `deferred`",
        "The tools of the agent's files that it has, builtin ones and those of modules included; default all.",
      ),
      type: ["string", "array", "object"],
      additionalProperties: false,
      minProperties: 1,
      properties: {
        names: toolNames("a list of tools such as `[read_file, my_tool]`, or `off`", "As the list alone."),
        deferred: {
          title: "`true` or `false`",
          description:
            "Whether the model has to look for the tools of MCP servers and skills by `tool_search`; default: when they would take more than a tenth of its window.",
          type: "boolean",
        },
      },
    },
    mcp: mcpSchema,
    hooks: hooksSchema,
    skills: skillsSchema,
    triggers: later("a list of triggers", ["array", "object"]),
    memory: memorySchema,
  },
};

/** The JSON Schema of agent.mdx's frontmatter, for editors. */
export const settingsSchema: JsonSchema = /* @__PURE__ */ jsonSchemaOf(agentSettings);
