import type { Finding, Schema } from "@mdx-ai/base/schema";
import { meantWord } from "./spelling.ts";
import { CLAUDE_TOOLS } from "./tool-names.ts";

/** A rule that lets calls run widens what it names: it may not leave the tool or the server open. */
type RuleList = "allow" | "ask" | "deny";

/** A list of permission rules of Claude Code. */
export const ruleList = (list: RuleList): Schema => ({
  title: "a list of rules such as `Bash(git status)`",
  type: "array",
  items: {
    title: "a rule such as `Bash(git status)`",
    type: "string",
    check: (value) => checkRule(String(value), list),
  },
});

const FORM = "write `Tool` or `Tool(content)`";

function checkRule(rule: string, list: RuleList): readonly Finding[] {
  const [, name, content] = /^([^()]+)(?:\((.*)\))?$/s.exec(rule.trim()) ?? [];
  if (name === undefined) return [broken(`the rule \`${rule}\` is neither \`Tool\` nor \`Tool(content)\``, FORM)];
  if (content?.trim() === "")
    return [broken(`the rule \`${rule}\` has empty parentheses`, `write \`${name}\` for all calls`)];
  if (name.startsWith("mcp__")) return checkMcp({ rule, name, list, hasContent: content !== undefined });
  if (name.includes("*")) return list === "allow" ? [tooWide(rule)] : [];
  if (/^Bash$/.test(name) && content !== undefined && /:\*./s.test(content)) {
    return [
      broken(`\`:*\` of the rule \`${rule}\` is not at its end`, "write `*` in its place, with blanks around words"),
    ];
  }
  const meant = meantWord(name, CLAUDE_TOOLS);
  if (meant === undefined) return [];
  const message = `unexpected tool \`${name}\` in a rule, expected \`${meant}\``;
  return [{ rule: "tool-misspelt", message, hint: `write \`${meant}\`: the case of a tool's name counts` }];
}

interface McpRule {
  readonly rule: string;
  readonly name: string;
  readonly list: RuleList;
  readonly hasContent: boolean;
}

function checkMcp({ rule, name, list, hasContent }: McpRule): readonly Finding[] {
  if (hasContent)
    return [scope(`the rule \`${rule}\` of an MCP tool has parentheses, so it is skipped`, `write \`${name}\``)];
  if (list !== "allow" || !name.includes("*") || /^mcp__[^*:]+__[\w.*-]*$/.test(name)) return [];
  return [
    scope(`the rule \`${rule}\` allows tools of any server, so it is skipped`, "name the server: `mcp__SERVER__*`"),
  ];
}

const tooWide = (rule: string): Finding =>
  scope(`the rule \`${rule}\` names no tool, so it is skipped in \`allow\``, `${FORM}, such as \`Bash\``);

const broken = (message: string, hint: string): Finding => ({ rule: "permission-rule", message, hint });

const scope = (message: string, hint: string): Finding => ({ rule: "permission-rule-scope", message, hint });
