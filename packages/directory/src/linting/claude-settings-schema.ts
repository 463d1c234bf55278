import type { Schema } from "@mdx-ai/base/schema";
import { hooksSchema } from "./hooks-schema.ts";
import { ANY, misspeltKeys, openMap, text, texts, truth } from "./lint-json.ts";
import { ruleList } from "./permission-rules.ts";

const permissions: Schema = openMap("a map with `allow`, `ask` and `deny`", {
  allow: ruleList("allow"),
  ask: ruleList("ask"),
  deny: ruleList("deny"),
  additionalDirectories: texts("a list of folders"),
  defaultMode: {
    title: "`default`, `acceptEdits`, `auto`, `dontAsk`, `bypassPermissions` or `plan`",
    type: "string",
    enum: ["default", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "plan", "manual", "delegate"],
  },
  disableBypassPermissionsMode: { title: '`"disable"`', type: "string" },
});

/** The keys that people write most, with the types that they have; there are many more. */
const properties: Readonly<Record<string, Schema>> = {
  permissions,
  hooks: hooksSchema,
  env: {
    title: 'a map of variables such as `{"NAME": "value"}`',
    type: "object",
    additionalProperties: { title: "a text", type: ["string", "number", "boolean"] },
  },
  model: text("a model"),
  includeCoAuthoredBy: truth,
  enableAllProjectMcpServers: truth,
  enabledMcpjsonServers: texts("a list of names of servers"),
  disabledMcpjsonServers: texts("a list of names of servers"),
  statusLine: { title: "a map with `type` and `command`", type: "object" },
  outputStyle: text("the name of a style"),
  apiKeyHelper: text("a command"),
  cleanupPeriodDays: { title: "a number of days", type: "number", minimum: 0 },
  disableAllHooks: truth,
  enabledPlugins: { title: "a map of plugins", type: ["object", "array"] },
  extraKnownMarketplaces: { title: "a map of marketplaces", type: "object" },
  alwaysThinkingEnabled: truth,
};

/** `.claude/settings.json`. */
export const claudeSettingsSchema: Schema = {
  title: "a map of settings",
  type: "object",
  properties,
  additionalProperties: ANY,
  checkKey: misspeltKeys([...Object.keys(properties), "attribution", "sandbox", "companyAnnouncements", "language"]),
};
