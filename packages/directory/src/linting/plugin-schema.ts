import type { Schema } from "@mdx-ai/base/schema";
import { openMap, text, texts } from "./lint-json.ts";

const name: Schema = {
  title: "a name of lowercase letters, digits and hyphens",
  type: "string",
  pattern: "^[a-zA-Z0-9]+(?:[-_.][a-zA-Z0-9]+)*$",
};

const author: Schema = {
  ...openMap('a map such as `{"name": "Ada"}`', { name: text(), email: text(), url: text() }),
  hintFor: (value) => (typeof value === "string" ? `write \`{"name": ${JSON.stringify(value)}}\`` : undefined),
};

const paths: Schema = { title: "a path or a list of paths", type: ["string", "array", "object"] };

const described: Readonly<Record<string, Schema>> = {
  name,
  version: text('a version such as `"1.2.0"`'),
  description: text(),
  author,
  homepage: text("an address"),
  repository: { title: "an address", type: ["string", "object"] },
  license: text("the name of a licence"),
  keywords: texts(),
  commands: paths,
  agents: paths,
  skills: paths,
  hooks: paths,
  mcpServers: paths,
  lspServers: paths,
  outputStyles: paths,
};

/** `.claude-plugin/plugin.json`. */
export const pluginSchema: Schema = {
  ...openMap("a map with a `name`", described, ["dependencies", "userConfig", "channels", "settings", "monitors"]),
  required: ["name"],
};

const listed: Schema = {
  ...openMap(
    "a plugin with `name` and `source`",
    { ...described, source: { title: "a path or a source", type: ["string", "object"] } },
    ["category", "tags", "strict"],
  ),
  required: ["name", "source"],
};

/** `.claude-plugin/marketplace.json`. */
export const marketplaceSchema: Schema = {
  ...openMap(
    "a map with `name`, `owner` and `plugins`",
    {
      name,
      owner: author,
      plugins: { title: "a list of plugins", type: "array", items: listed },
      metadata: { title: "a map", type: "object" },
    },
    ["description", "version", "homepage"],
  ),
  required: ["name", "owner", "plugins"],
};
