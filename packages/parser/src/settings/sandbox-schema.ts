import type { JsonSchema } from "../types/json.ts";

const modes = "^(auto|required|off)$";
const examples = ["auto", "required", "off"];

/** The JSON Schema of `sandbox`, in the frontmatter and in the user's own settings. */
export const sandboxSchema: JsonSchema = {
  title: "`auto`, `required`, `off`, or a map of `mode` and `network`",
  description:
    "Whether the shell and the tools are contained: `auto` where that is possible, `required` or there is no run, `off` never.",
  type: ["string", "object"],
  pattern: modes,
  examples,
  additionalProperties: false,
  properties: {
    mode: {
      title: "`auto`, `required` or `off`",
      description: "Where the shell and the tools are contained; `auto` where it is not set.",
      type: "string",
      pattern: modes,
      examples,
    },
    network: {
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
    },
  },
};
