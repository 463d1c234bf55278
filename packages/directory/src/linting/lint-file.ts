import { findKeys, isRecord, isText, jsonValue } from "@mdx-ai/base";
import type { Schema } from "@mdx-ai/base/schema";
import { byFileAndPosition, type Diagnostic, rules } from "@mdx-ai/parser";
import { parseSkill } from "@mdx-ai/parser/parse";
import { claudeSettingsSchema } from "./claude-settings-schema.ts";
import { lintHiddenText } from "./hidden-text.ts";
import { hooksSchema } from "./hooks-schema.ts";
import { lintCommand } from "./lint-command.ts";
import { lintInstructions } from "./lint-instructions.ts";
import { lintJson } from "./lint-json.ts";
import { lintOpencodeAgent, lintOpencodeCommand } from "./lint-opencode.ts";
import { lintSubagent } from "./lint-subagent.ts";
import {
  type FileKind,
  type ForeignFile,
  type LintedFile,
  lintDiagnostic,
  MAX_FINDINGS,
  pointAt,
} from "./linted-file.ts";
import { flatServers, mcpSchema, opencodeServer } from "./mcp-schema.ts";
import { marketplaceSchema, pluginSchema } from "./plugin-schema.ts";
import { lintHookFiles, lintPluginPaths, lintPluginPlace } from "./referenced-files.ts";

/** The result for one file. */
export interface FileLint {
  /** By position; `file` is the file's path. */
  readonly diagnostics: readonly Diagnostic[];
  /** The name of a subagent. */
  readonly name?: string;
}

/** Finds the mistakes in the text of a file of another program. Runs nothing. Never throws. */
export function lintFile(file: ForeignFile, original: string): FileLint {
  const text = original.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const diagnostics: Diagnostic[] = [];
  const linted: LintedFile = {
    ...file,
    text,
    report: (rule, finding) => diagnostics.push(lintDiagnostic(rule, file.path, finding)),
  };
  const name = LINTERS[file.kind](linted, diagnostics);
  lintHiddenText(linted);
  if (IS_JSON.includes(file.kind)) diagnostics.push(...literalKeys(linted));
  return { diagnostics: diagnostics.toSorted(byFileAndPosition).slice(0, MAX_FINDINGS), ...(isText(name) && { name }) };
}

const IS_JSON: readonly FileKind[] = ["claude-settings", "hooks", "mcp-config", "opencode-config"];

const literalKeys = ({ path, text }: LintedFile): readonly Diagnostic[] =>
  findKeys(text)
    .slice(0, MAX_FINDINGS)
    .map(({ kind, index }) => ({
      file: path,
      ...pointAt(text, index),
      severity: rules["literal-key"],
      rule: "literal-key",
      message: `this looks like ${/^[AEIO]/i.test(kind) ? "an" : "a"} ${kind}, which everyone has who has the file`,
      hint: "revoke it, and name a variable in its place",
    }));

/** Returns the name of a subagent. */
type Linter = (file: LintedFile, diagnostics: Diagnostic[]) => unknown;

const LINTERS: Readonly<Record<FileKind, Linter>> = {
  subagent: lintSubagent,
  command: lintCommand,
  skill: (file, diagnostics) => void diagnostics.push(...skillDiagnostics(file)),
  instructions: lintInstructions,
  "claude-settings": (file) => {
    lintJson(file, { schema: claudeSettingsSchema, rule: "settings-value" });
    lintHookFiles(file);
  },
  hooks: (file) => {
    lintJson(file, { schema: hookFile(file.text), rule: "hook-shape" });
    lintHookFiles(file);
  },
  "mcp-config": (file) => void lintJson(file, { schema: serverFile(file.text), rule: "mcp-config" }),
  plugin: (file) => {
    const manifest = lintJson(file, { schema: pluginSchema, rule: "plugin-manifest" });
    if (manifest === undefined) return;
    lintPluginPaths(manifest, file);
    lintPluginPlace(manifest, file);
  },
  marketplace: (file) => void lintJson(file, { schema: marketplaceSchema, rule: "marketplace" }),
  "opencode-agent": lintOpencodeAgent,
  "opencode-command": lintOpencodeCommand,
  "opencode-config": (file) => void lintJson(file, { schema: OPENCODE, rule: "settings-value", hasComments: true }),
};

/** Rules of skills that concern other programs, too; what only this program reads is not their mistake. */
const OF_SKILLS: readonly string[] = [
  ...["skill-frontmatter", "skill-description", "skill-description-length", "skill-name", "skill-field", "skill-link"],
];

/** The length of a skill is a recommendation. */
const skillDiagnostics = ({ path, text }: LintedFile): readonly Diagnostic[] =>
  parseSkill(text, path).diagnostics.flatMap((one, index, all): readonly Diagnostic[] => {
    // One missing quote is often the cause of several mistakes.
    if (one.rule === "skill-frontmatter" && all.findIndex(({ rule }) => rule === one.rule) < index) return [];
    if (one.rule === "skill-length") return [{ ...one, severity: "note" }];
    return OF_SKILLS.includes(one.rule) && !/here(?::|$)/.test(one.message) ? [one] : [];
  });

/** Hooks of a plugin are under `hooks`. */
const hookFile = (text: string): Schema => {
  const value = jsonValue(text);
  if (isRecord(value) && !("hooks" in value) && Object.values(value).some(Array.isArray)) return hooksSchema;
  return {
    title: 'a map such as `{"hooks": {…}}`',
    type: "object",
    required: ["hooks"],
    properties: { hooks: hooksSchema },
  };
};

/** Servers without `mcpServers` around them are all right in plugins. */
const serverFile = (text: string): Schema => {
  const value = jsonValue(text);
  const isFlat =
    isRecord(value) &&
    !("mcpServers" in value) &&
    Object.values(value).some((one) => isRecord(one) && ("command" in one || "url" in one));
  return isFlat ? flatServers : { ...mcpSchema, required: ["mcpServers"] };
};

const OPENCODE: Schema = {
  title: "a map of settings",
  type: "object",
  properties: { mcp: { title: "a map of servers", type: "object", additionalProperties: opencodeServer } },
};
