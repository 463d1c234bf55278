import { lineText } from "@mdx-ai/base";
import type { HookSettings } from "@mdx-ai/parser";
import { ELEMENT_NAMES } from "@mdx-ai/parser/element-names";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { undeclared } from "./counterparts.ts";
import type { ImportedAgent } from "./imported-agent.ts";
import { yamlText } from "./source-file.ts";

/** The agent.mdx of an imported agent. */
export interface AgentText {
  readonly text: string;
  /** The first changed lines of the prompt as a model receives it, counted from 1; empty if it is the same. */
  readonly changedLines: readonly number[];
}

/** An agent that another one offers to its model as a tool. */
export interface OfferedAgent {
  readonly name: string;
  readonly description: string;
  /** Relative to agent.mdx. */
  readonly src: string;
}

/** The agent.mdx whose prompt a model receives as the source shows it, but for comments, and that offers these agents. */
export async function agentText(agent: ImportedAgent, offered: readonly OfferedAgent[] = []): Promise<AgentText> {
  const tags = offered.map((one) => `\n${agentTag(one)}\n`).join("");
  const text = `${frontmatter(agent)}\n${await asMarkdown(agent.prompt)}\n${tags}`;
  return { text, changedLines: await changes(text, agent.prompt) };
}

const agentTag = ({ name, description, src }: OfferedAgent): string =>
  `<Agent name="${name}" src="${src}" description=${attributeValue(lineText(description).trim())} />`;

/** In quotes where every character means itself there, else as JSON. */
const attributeValue = (text: string): string => (/["&{}\\]/.test(text) ? `{${JSON.stringify(text)}}` : `"${text}"`);

/** The frontmatter of the agent.mdx, between two lines `---`. */
export function frontmatter({ name, description, settings, builtins, rules, hooks }: ImportedAgent): string {
  const { model, temperature, limits, workspace } = settings;
  const lines = [
    `name: ${yamlText(name)}`,
    ...(description === undefined ? [] : [`description: ${yamlText(description)}`]),
    ...(model === undefined ? [] : [`model: ${yamlText(model)}`]),
    ...(temperature === undefined ? [] : [`temperature: ${temperature}`]),
    ...(workspace === undefined ? [] : [`workspace: ${workspace}`]),
    ...(limits?.turns === undefined ? [] : ["limits:", `  turns: ${limits.turns}`]),
    ...(builtins === undefined ? [] : [`builtins: ${builtins.length === 0 ? "off" : `[${builtins.join(", ")}]`}`]),
    "sections: off",
    ...(hooks === undefined ? [] : hookLines(hooks)),
    ...permissionLines([...rules, ...(builtins === undefined ? [] : undeclared(builtins))]),
  ];
  return `---\n${lines.join("\n")}\n---\n`;
}

/** JSON is YAML. */
const hookLines = (hooks: HookSettings): readonly string[] => [
  "hooks:",
  ...Object.entries(hooks).flatMap(([event, groups]) => [
    `  ${event}:`,
    ...groups.map((group) => `    - ${JSON.stringify(group)}`),
  ]),
];

/** If a pattern has several rules, keeps only the last. */
function permissionLines(rules: ImportedAgent["rules"]): readonly string[] {
  const last = rules.filter(([pattern], index) => rules.findLastIndex(([other]) => other === pattern) === index);
  return last.length === 0
    ? []
    : ["permissions:", ...last.map(([pattern, action]) => `  ${yamlText(pattern)}: ${action}`)];
}

/** A prompt that is read as Markdown without elements: a statement is text after a blank, a tag of an element after a backslash. */
async function asMarkdown(prompt: string): Promise<string> {
  const { definition, files, diagnostics } = await parseAgentMdx(prompt);
  const isMdx = files.some(({ kind }) => kind === "mdx");
  const text = isMdx ? prompt.replace(STATEMENT, " ") : prompt;
  const hasElements = isMdx || definition.tools.length > 0 || diagnostics.some(({ rule }) => ELEMENT_RULE.test(rule));
  return hasElements ? text.replace(ELEMENT_TAG, "\\$&") : text;
}

const STATEMENT = /^(?=(?:import|export) )/gm;
const ELEMENT_TAG = new RegExp(`</?(?:${ELEMENT_NAMES})(?![\\w.:$-])`, "g");
const ELEMENT_RULE = /^(?:element|tool|param|example)-/;

/** The most lines that are reported. */
const MAX_CHANGES = 10;

/** The lines of the prompt that the agent's model does not receive as they are. */
async function changes(text: string, prompt: string): Promise<readonly number[]> {
  const {
    definition: { identity, tools, program },
    diagnostics,
  } = await parseAgentMdx(text);
  const isRead =
    !diagnostics.some(({ severity }) => severity === "error") && tools.length === 0 && program === undefined;
  if (!isRead) return [1];
  const received = identity.prose.split("\n");
  let next = 0;
  return prompt
    .split("\n")
    .flatMap((line, index) => {
      const found = line.trim() === "" ? next : received.indexOf(line, next);
      if (found === -1) return [index + 1];
      next = line.trim() === "" ? next : found + 1;
      return [];
    })
    .slice(0, MAX_CHANGES);
}
