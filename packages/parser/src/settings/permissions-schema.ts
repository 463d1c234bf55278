import type { JsonSchema } from "../types/json.ts";

const subjects: JsonSchema = {
  title: 'a list of patterns such as `["out/**"]`',
  description: "What a call touches: a command, a path or `parameter=value`, with `*` for any characters.",
  type: "array",
  items: { title: "a pattern such as `out/**`", type: "string", minLength: 1 },
};

const verdict: JsonSchema = {
  title: "`allow`, `ask`, `deny`, or a map of these to lists of patterns",
  description:
    "`allow` runs the call, `ask` asks the user before, `deny` refuses it; of what matches, the last one decides.",
  type: ["string", "object"],
  pattern: "^(allow|ask|deny)$",
  examples: ["allow", "ask", "deny"],
  additionalProperties: false,
  properties: { allow: subjects, ask: subjects, deny: subjects },
};

/** The JSON Schema of `permissions`, in the frontmatter and in the user's own settings. */
export const permissionsSchema: JsonSchema = {
  title: "a map of patterns such as `bash(git *)` to `allow`, `ask` or `deny`",
  description:
    "Which calls of tools run, are asked about or are refused. Of the patterns that match a call, the last one decides.",
  type: "object",
  additionalProperties: verdict,
};
