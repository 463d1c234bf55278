import type { JsonSchema } from "@mdx-ai/base";
import { jsonSchemaOf, listOf, mapOf, type Schema, textOf, wordOf } from "@mdx-ai/base/schema";
import { checkPatternKey, checkSubject } from "./check-permissions.ts";
import { checkHost, checkPath } from "./check-sandbox.ts";
import { checkServerName } from "./check-server.ts";
import { userCredentialsSchema } from "./credentials-schema.ts";
import { mcpServerSchema } from "./mcp-server-schema.ts";
import type { WrittenSettings } from "./settings-reading.ts";

const subjects: Schema = listOf(
  'a list of patterns such as `["out/**"]`',
  "What a call accesses: a command, a path or `parameter=value`, with `*` for any characters.",
  { title: "a pattern such as `out/**`", check: checkSubject },
);

const action: Schema = {
  title: "`allow`, `ask`, `deny`, or a map of these to lists of patterns",
  description: "`allow` runs the call, `ask` asks the user before, `deny` refuses it; the last match decides.",
  type: ["string", "object"],
  pattern: "^(allow|ask|deny)$",
  examples: ["allow", "ask", "deny"],
  additionalProperties: false,
  properties: { allow: subjects, ask: subjects, deny: subjects },
};

const permissions: Schema = {
  title: "a map of patterns such as `bash(git *)` to `allow`, `ask` or `deny`",
  description:
    "Which calls of tools run, are asked about or are refused. Of the patterns that match a call, the last one decides.",
  type: "object",
  additionalProperties: action,
  checkKey: checkPatternKey,
};

// `mode` is no pattern: what calls may do that no pattern matches.

/** The JSON Schema of `permissions` in the frontmatter: a directory can narrow the mode, and not widen it. */
export const permissionsSchema: Schema = {
  ...permissions,
  properties: {
    mode: wordOf("The widest mode: `ask` asks about writes in the workspace, `plan` allows reading alone.", [
      "ask",
      "plan",
    ]),
  },
};

/** The JSON Schema of `permissions` in the user's own settings. */
const userPermissionsSchema: Schema = {
  ...permissions,
  properties: {
    mode: wordOf(
      "What tools may do without a question: `ask` asks about writes in the workspace, `edits` does not, `plan` allows reading alone, `all` asks about nothing within the sandbox.",
      ["ask", "edits", "plan", "all"],
    ),
  },
};

const modes = "^(auto|required|off)$";
const examples = ["auto", "required", "off"];

const mode: Schema = {
  title: "`auto`, `required` or `off`",
  description: "Whether the shell and the tools run in a sandbox; default `auto`.",
  type: "string",
  pattern: modes,
  examples,
};

const network: Schema = {
  title: '`all` or a list of hosts such as `["api.example.com"]`',
  description: "The hosts that the shell may reach; default none.",
  type: ["string", "array"],
  pattern: "^all$",
  examples: ["all"],
  items: {
    title: "a host such as `api.example.com`, `*.example.com` or `localhost:8080`",
    type: "string",
    minLength: 1,
    check: checkHost,
  },
};

const common: Schema = {
  description:
    "Whether the shell and the tools run in a sandbox: `auto` if possible, `required` always (or no run), `off` never.",
  type: ["string", "object"],
  pattern: modes,
  examples,
  additionalProperties: false,
  hintFor: (value) => (value === true ? "write `required`, or `auto` if it may also run without a sandbox" : undefined),
};

const ofUser: Schema = { description: "Counts in the user's own settings alone.", "x-supported": false };

/** The JSON Schema of `sandbox` in the frontmatter. */
export const sandboxSchema: Schema = {
  title: "`auto`, `required`, `off`, or a map of `mode` and `network`",
  ...common,
  properties: { mode, network, read: ofUser, write: ofUser },
};

const paths = (description: string): Schema => ({
  title: 'a list of paths such as `["~/data"]`',
  description,
  type: "array",
  items: {
    title: "an absolute path, or one such as `~/data`",
    description: "Write each folder that agents need, such as `~/data`; a `~` alone means null in YAML.",
    type: "string",
    minLength: 1,
    check: checkPath,
  },
});

/** The JSON Schema of `sandbox` in the user's own settings. */
const userSandboxSchema: Schema = {
  title: "`auto`, `required`, `off`, or a map of `mode`, `network`, `read` and `write`",
  ...common,
  properties: {
    mode,
    network,
    read: paths("Files and folders that the sandbox shows read-only, although it would hide them."),
    write: paths("Files and folders that the sandbox shows and lets commands and tools write."),
  },
};

/** The JSON Schema of `statusbar`, which the frontmatter has, too. */
export const statusbarSchema: Schema = wordOf(
  "The line below the input of a conversation; default `full`. The user's own setting counts first.",
  ["full", "birdie", "off"],
);

/** The JSON Schema of `tool_output`, which the frontmatter has, too. */
export const toolOutputSchema: Schema = wordOf(
  "How much a conversation shows of the results of tools, until `/tool output` changes it; default `short`. The user's own setting counts first.",
  ["full", "short", "off"],
);

const notifySchema: Schema = wordOf(
  "How a terminal reports a question that waits and the end of a long prompt: it rings (`bell`, the default), shows a notification, or does nothing.",
  ["bell", "osc9", "off"],
);

const themeSchema: Schema = wordOf(
  "The colours of a conversation: for a dark or a light background, or the terminal's own 16 (`ansi`, the default).",
  ["dark", "light", "ansi"],
);

const plainSchema: Schema = wordOf(
  "Whether conversations are plain lines that nothing redraws, for screen readers: `on`, or `off` (default).",
  ["on", "off"],
);

/** The JSON Schema of `mcp`, which the frontmatter has, too. */
export const mcpSchema: Schema = {
  title: "a map of servers",
  description: "MCP servers by name, whose tools the agent has as `mcp.SERVER.TOOL`.",
  type: "object",
  additionalProperties: mcpServerSchema,
  checkKey: checkServerName,
};

const webSearchSchema: Schema = {
  ...mapOf(
    "`provider`, or a map with the `url` of a search endpoint",
    "Where agents search the web: `provider`, so that the model's provider does (Anthropic, OpenAI's responses), or an endpoint: SearXNG or another program that answers `q` with its JSON, or Brave. Without it they have no `web_search`.",
    {
      url: {
        ...textOf(
          "an address such as `http://localhost:8888/search?format=json`",
          "The address of the endpoint; it gets the query as `q`.",
        ),
        pattern: "^https?://[^\\s/]",
        examples: ["http://localhost:8888/search?format=json", "https://api.search.brave.com/res/v1/web/search"],
      },
      headers: {
        title: 'a map of headers such as `{X-Subscription-Token: "${BRAVE_API_KEY}"}`',
        description: "Headers of every request; `${NAME}` is a variable of yours.",
        type: "object",
        additionalProperties: { title: "a text", type: "string" },
      },
    },
  ),
  type: ["string", "object"],
  pattern: "^provider$",
  required: ["url"],
};

/** What the user's own settings file may say. */
export const userSettings: Schema<WrittenSettings> = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "settings of a user",
  description: "What a user allows all agents: settings.yaml in the folder `mdx-ai` of the user's configuration.",
  type: "object",
  additionalProperties: false,
  properties: {
    permissions: userPermissionsSchema,
    sandbox: userSandboxSchema,
    credentials: userCredentialsSchema,
    mcp: { ...mcpSchema, description: "MCP servers that all your agents have, besides their own." },
    memory: wordOf(
      "Whether your agents remember their conversations: `off` counts for all, `on` for those that say nothing about it.",
      ["on", "off"],
    ),
    web_search: webSearchSchema,
    statusbar: statusbarSchema,
    tool_output: toolOutputSchema,
    notify: notifySchema,
    theme: themeSchema,
    plain: plainSchema,
  },
};

/** The JSON Schema of the user's own settings file, for editors. */
export const userSettingsSchema: JsonSchema = /* @__PURE__ */ jsonSchemaOf(userSettings);
