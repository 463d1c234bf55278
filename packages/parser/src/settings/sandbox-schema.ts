import type { JsonSchema } from "../types/json.ts";

const modes = "^(auto|required|off)$";
const examples = ["auto", "required", "off"];

const mode: JsonSchema = {
  title: "`auto`, `required` or `off`",
  description: "Where the shell and the tools are contained; `auto` where it is not set.",
  type: "string",
  pattern: modes,
  examples,
};

const network: JsonSchema = {
  title: '`all` or a list of hosts such as `["api.example.com"]`',
  description: "The hosts that the shell may reach; none where it is not set.",
  type: ["string", "array"],
  pattern: "^all$",
  examples: ["all"],
  items: {
    title: "a host such as `api.example.com`, `*.example.com` or `localhost:8080`",
    type: "string",
    minLength: 1,
  },
};

const common: JsonSchema = {
  description:
    "Whether the shell and the tools are contained: `auto` where that is possible, `required` or there is no run, `off` never.",
  type: ["string", "object"],
  pattern: modes,
  examples,
  additionalProperties: false,
};

const ofUser: JsonSchema = { description: "Counts in the user's own settings alone.", "x-supported": false };

/** The JSON Schema of `sandbox` in the frontmatter. */
export const sandboxSchema: JsonSchema = {
  title: "`auto`, `required`, `off`, or a map of `mode` and `network`",
  ...common,
  properties: { mode, network, read: ofUser, write: ofUser },
};

const paths = (description: string): JsonSchema => ({
  title: 'a list of paths such as `["~/data"]`',
  description,
  type: "array",
  items: {
    title: "an absolute path, or one such as `~/data`",
    description: "Write each folder that agents need, such as `~/data`; a `~` alone is nothing in YAML.",
    type: "string",
    minLength: 1,
  },
});

/** The JSON Schema of `sandbox` in the user's own settings. */
export const userSandboxSchema: JsonSchema = {
  title: "`auto`, `required`, `off`, or a map of `mode`, `network`, `read` and `write`",
  ...common,
  properties: {
    mode,
    network,
    read: paths("Files and folders that the sandbox shows read-only, although it would hide them."),
    write: paths("Files and folders that the sandbox shows and lets commands and tools write."),
  },
};
