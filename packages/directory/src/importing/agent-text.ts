import { defineWithinTime } from "@mdx-ai/parser/within-time";
import { applyFixes } from "../fixing/apply-fixes.ts";
import { undeclared } from "./counterparts.ts";
import type { ImportedAgent } from "./imported-agent.ts";
import { yamlText } from "./source-file.ts";

/** The agent.mdx of an imported agent. */
export interface AgentText {
  readonly text: string;
  /** The first changed lines of the prompt as a model receives it, counted from 1; empty if it is the same. */
  readonly changedLines: readonly number[];
}

/**
 * Writes an agent.mdx whose prompt reaches the model as in the source. Lower-case tags stay unescaped where that
 * changes nothing; otherwise every `<` of the prose is escaped.
 */
export async function agentText(agent: ImportedAgent): Promise<AgentText> {
  const head = frontmatter(agent);
  let best: AgentText | undefined;
  for (const rewrite of hasWholeTags(agent.prompt) ? [escapeExpressions, escapeAll] : [escapeAll]) {
    const text = await fixed(`${head}\n${outsideCode(agent.prompt, rewrite)}\n`);
    const found = { text, changedLines: await changes(text, agent.prompt) };
    if (found.changedLines.length === 0) return found;
    if (best === undefined || found.changedLines.length < best.changedLines.length) best = found;
  }
  return best ?? { text: head, changedLines: [] };
}

/** The frontmatter of the agent.mdx, between two lines `---`. */
export function frontmatter({ name, description, settings, builtins, rules }: ImportedAgent): string {
  const { model, temperature, limits } = settings;
  const lines = [
    `name: ${yamlText(name)}`,
    ...(description === undefined ? [] : [`description: ${yamlText(description)}`]),
    ...(model === undefined ? [] : [`model: ${yamlText(model)}`]),
    ...(temperature === undefined ? [] : [`temperature: ${temperature}`]),
    ...(limits?.turns === undefined ? [] : ["limits:", `  turns: ${limits.turns}`]),
    ...(builtins === undefined ? [] : [`builtins: ${builtins.length === 0 ? "off" : `[${builtins.join(", ")}]`}`]),
    "sections: off",
    ...permissionLines([...rules, ...(builtins === undefined ? [] : undeclared(builtins))]),
  ];
  return `---\n${lines.join("\n")}\n---\n`;
}

/** If a pattern has several rules, keeps only the last. */
function permissionLines(rules: ImportedAgent["rules"]): readonly string[] {
  const last = rules.filter(([pattern], index) => rules.findLastIndex(([other]) => other === pattern) === index);
  return last.length === 0
    ? []
    : ["permissions:", ...last.map(([pattern, action]) => `  ${yamlText(pattern)}: ${action}`)];
}

/** Fixes remaining MDX errors, such as lines that begin with `import`. */
async function fixed(text: string): Promise<string> {
  const { text: after } = await applyFixes(text, async (current) =>
    (await read(current)).diagnostics.filter(({ severity }) => severity === "error"),
  );
  return after;
}

/** Reads an agent.mdx as reading its directory does, with the same time limit. */
async function read(text: string): Promise<Awaited<ReturnType<typeof defineWithinTime>>["entry"]> {
  const agent = { path: "agent.mdx", text };
  return (await defineWithinTime({ agent, skills: [], modules: [], folders: [] })).entry;
}

/** The maximum number of reported lines: a prompt that is parsed differently has very many. */
const MAX_CHANGES = 10;

/** The lines where the parsed agent differs from the prompt. */
async function changes(text: string, prompt: string): Promise<readonly number[]> {
  const { definition, diagnostics } = await read(text);
  const { identity, tools, program } = definition;
  const isRead =
    !diagnostics.some(({ severity }) => severity === "error") && tools.length === 0 && program === undefined;
  if (!isRead) return [1];
  const lines = identity.introduction.split("\n");
  return prompt
    .split("\n")
    .flatMap((line, index) => (line === lines[index] || line === withoutIndent(lines[index]) ? [] : [index + 1]))
    .slice(0, MAX_CHANGES);
}

/** Words that would make a line of prose code. Such a line is indented by a blank. */
const CODE_WORD = /^(?=(?:import|export) )/;
const withoutIndent = (line: string | undefined): string | undefined => line?.replace(/^ (?=(?:import|export) )/, "");

/** In characters: each unclosed tag is a mistake, and MDX with many mistakes is slow to parse. */
const MAX_TAGGED = 50_000;

/** Whether lower-case tags may stay: each is opened as often as it is closed. */
function hasWholeTags(prompt: string): boolean {
  if (prompt.length > MAX_TAGGED) return false;
  const open = new Map<string, number>();
  outsideCode(prompt, (prose) => {
    for (const [, slash, name = ""] of prose.matchAll(/<(\/?)([a-z][\w-]*)(?=[\s>])/gi)) {
      open.set(name, (open.get(name) ?? 0) + (slash === "/" ? -1 : 1));
    }
    return prose;
  });
  return [...open.values()].every((count) => count === 0);
}

const escapeExpressions = (prose: string): string =>
  prose.replace(/(\\*)(\{|<(?=[^a-z/\s]|[a-z][\w.+-]*:|\/[^a-z]))|(\\+)(\})/gi, escapeFound);

const escapeAll = (prose: string): string => prose.replace(/(\\*)(\{|<(?!\s|$))|(\\+)(\})/g, escapeFound);

/** Doubles existing backslashes: a model receives one of each pair. */
const escapeFound = (_: string, opened = "", opening = "", closed = "", closing = ""): string =>
  `${opened}${opened}${closed}${closed}\\${opening}${closing}`;

/**
 * Applies a function to the parts of Markdown that are not code. Fences count in any container, and code spans end within their
 * paragraph, as in MDX; code by indentation alone is prose there.
 */
function outsideCode(markdown: string, rewrite: (prose: string) => string): string {
  const parts: string[] = [];
  let prose: string[] = [];
  let fence: string | undefined;
  const flush = (): void => {
    if (prose.length > 0) parts.push(outsideSpans(prose.join("\n").replace(CODE_WORD, " "), rewrite));
    prose = [];
  };
  for (const line of markdown.split("\n")) {
    const [, mark = "", info = ""] = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === undefined && mark !== "" && !(mark.startsWith("`") && info.includes("`"))) {
      flush();
      fence = mark;
      parts.push(line);
    } else if (fence !== undefined) {
      parts.push(line);
      if (mark.startsWith(fence) && info.trim() === "") fence = undefined;
    } else if (line.trim() === "") {
      flush();
      parts.push(line);
    } else prose.push(line);
  }
  flush();
  return parts.join("\n");
}

/** Splits a paragraph at its code spans: equal runs of backticks, of which the first is not escaped. */
function outsideSpans(paragraph: string, rewrite: (prose: string) => string): string {
  let result = "";
  let from = 0;
  const runs = [...paragraph.matchAll(/(\\*)(`+)/g)];
  for (let index = 0; index < runs.length; index++) {
    const open = runs[index];
    if (open === undefined) break;
    const [whole, backslashes = "", ticks = ""] = open;
    if (backslashes.length % 2 === 1) continue;
    const end = runs.findIndex(([, , other], at) => at > index && other === ticks);
    const close = runs[end];
    if (close === undefined) continue;
    const start = open.index + whole.length - ticks.length;
    const after = close.index + close[0].length;
    result += rewrite(paragraph.slice(from, start)) + paragraph.slice(start, after);
    from = after;
    index = end;
  }
  return result + rewrite(paragraph.slice(from));
}
