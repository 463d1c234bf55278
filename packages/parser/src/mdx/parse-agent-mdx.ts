import { closest, defined } from "@mdx-ai/base";
import type { Root } from "mdast";
import { byPosition, locate, quoted, type Report } from "../report.ts";
import { reportPermittedTools } from "../settings/check-permissions.ts";
import { reportOfferedTools } from "../settings/check-tools.ts";
import { type ReadSettings, readSettings } from "../settings/read-settings.ts";
import { SourceText } from "../source-text.ts";
import type { AgentIdentity, LocatedModel } from "../types/agent-definition.ts";
import type { AgentSettings } from "../types/agent-settings.ts";
import type { Diagnostic } from "../types/diagnostic.ts";
import type { ToolDefinition, ToolSource } from "../types/tool-definition.ts";
import { compileProgram } from "./compile-program.ts";
import { isDynamic, reportUnknownNames } from "./components.ts";
import { type DocumentParts, documentParts, doubledBackslashes } from "./document-parts.ts";
import { fileNames } from "./file-names.ts";
import { headingText, type IdentityReading, readIdentity, unnamed } from "./identity.ts";
import { misplacedFrontmatter } from "./misplaced-frontmatter.ts";
import { parseWithRecovery } from "./parse-with-recovery.ts";
import { isComponent, readProseCode } from "./prose-code.ts";
import { proseSlicer } from "./prose-slices.ts";
import { endOf, parseMarkdown, startOf } from "./syntax-tree.ts";
import { readTools } from "./tools.ts";

/** What agent.mdx says. */
export interface ParsedAgent {
  readonly identity: AgentIdentity;
  readonly settings: AgentSettings;
  /** The code of those with a `src` is empty: see `ToolSource`. */
  readonly tools: readonly ToolDefinition[];
  readonly sources: readonly ToolSource[];
  /** The models that its frontmatter names. */
  readonly models: readonly LocatedModel[];
  /** See `AgentDefinition.program`. */
  readonly program?: string;
  /** By position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The context of an agent.mdx. */
export interface AgentSurroundings {
  /** The file name in diagnostics; agent.mdx by default. */
  readonly file?: string;
  /** Whether the directory has modules, which may bring tools. */
  readonly hasModules?: boolean;
}

/** Reads the text of an agent.mdx. Executes nothing and reads no other file; never rejects, whatever the text. */
export async function parseAgentMdx(text: string, surroundings: AgentSurroundings = {}): Promise<ParsedAgent> {
  const { file = "agent.mdx", hasModules = false } = surroundings;
  const recovered = parseWithRecovery(new SourceText(text), file);
  const diagnostics = [...recovered.diagnostics];
  const { source } = recovered;
  const report: Report = (problem) => diagnostics.push(locate(problem, source, file));
  const tree = recovered.tree ?? markdownTree(source.text);
  const isWhole = recovered.diagnostics.length === 0;
  const parts = documentParts(tree, source.text);
  const known = fileNames(parts);
  const code = await readProseCode(parts, known);
  const { settings, permittedTools, namedTools, hasServers, models } = settingsIn(tree, source.text, report);
  const { tools, names, sources } = await readTools(parts.tools, source, settings.builtins, report);
  const hasOthers = hasModules || hasServers;
  if (!hasOthers && !recovered.lost) reportPermittedTools(permittedTools, names, report);
  if (!recovered.lost) reportOfferedTools(namedTools, { names, hasOthers }, report);
  const asWritten = settings.sections === "off" ? doubledBackslashes(tree, source.text) : [];
  const slice = proseSlicer(
    source.text,
    [...parts.cuts, ...asWritten].toSorted((one, other) => one.start - other.start),
  );
  const reading = readIdentity({ blocks: tree.children, end: source.text.length, slice }, settings);
  if (recovered.tree !== undefined) {
    const isNamed = reading.title !== undefined || settings.name !== undefined;
    if (!isNamed && !recovered.lost) reportUnnamed(reading, report);
    reportSections(reading, parts, settings, report);
  }
  if (!recovered.lost) {
    reportUnknownNames(parts, code, { names: known, text: source.text, report });
    reportStructure(parts, source.text, report);
  }
  const mayRun = isWhole && isDynamic(parts, code);
  const document = { tree, source, without: [...parts.tools, ...parts.strayParams] };
  const program = mayRun ? await compileProgram(document, report) : undefined;
  diagnostics.sort(byPosition);
  const { identity } = reading;
  const located = models.map(({ offset, ...model }) => ({ ...model, ...source.pointAt(offset) }));
  return { identity, settings, tools, sources, models: located, ...defined({ program }), diagnostics };
}

/** The fallback for broken MDX: plain Markdown still has the name. */
function markdownTree(text: string): Root {
  try {
    return parseMarkdown(text);
  } catch {
    return { type: "root", children: [] };
  }
}

function settingsIn(tree: Root, text: string, report: Report): ReadSettings {
  const yaml = tree.children.find((child) => child.type === "yaml");
  if (yaml === undefined) {
    const misplaced = misplacedFrontmatter(text);
    if (misplaced !== undefined) report(misplaced);
    return { settings: {}, permittedTools: [], namedTools: [], hasServers: false, sandboxPaths: [], models: [] };
  }
  const content = text.slice(startOf(yaml), endOf(yaml));
  const base = content.search(/[\r\n]/);
  return readSettings(yaml.value, {
    base: startOf(yaml) + base + (content.startsWith("\r\n", base) ? 2 : 1),
    report,
  });
}

function reportSections(
  reading: IdentityReading,
  parts: DocumentParts,
  { sections }: AgentSettings,
  report: Report,
): void {
  const { identity, purposeFrom, repeated } = reading;
  const isOneText = sections === "off" && identity.introduction !== "";
  const isStated = isOneText || (identity.purpose !== "" && purposeFrom === undefined);
  if (!isStated && !parts.elements.some(isComponent)) reportNoPurpose(reading, report);
  for (const heading of repeated) {
    const message = `second section ${quoted(headingText(heading))}`;
    report({ rule: "section-duplicate", offset: startOf(heading), message, hint: "merge the two; both are used" });
  }
}

/** An error, unless something else serves. */
function reportNoPurpose({ title, sections, purposeFrom }: IdentityReading, report: Report): void {
  const empty = sections.find((heading) => /^purpose\s*:?$/i.test(headingText(heading)));
  const misspelled = sections.find((heading) => closest(headingText(heading), ["purpose"]) !== undefined);
  const missing = empty === undefined ? "the agent has no purpose" : "the section `## Purpose` is empty";
  const used = purposeFrom === "description" ? "the `description` of the frontmatter" : "its opening paragraph";
  report({
    rule: "purpose-missing",
    offset: startOf(empty ?? misspelled ?? title ?? sections[0] ?? { type: "root", children: [] }),
    ...(purposeFrom === undefined ? {} : { severity: "warning" }),
    message: purposeFrom === undefined ? missing : `${missing}: ${used} is used`,
    hint:
      empty === undefined && misspelled !== undefined
        ? "did you mean `## Purpose`?"
        : "write a heading `## Purpose` and below it what the agent is for",
  });
}

function reportUnnamed({ sections }: IdentityReading, report: Report): void {
  const first = sections.find((heading) => heading.depth === 1);
  const name = first === undefined ? "" : headingText(first).replace(/^agent\b[\s:\uFF1A]*/i, "");
  report({
    rule: "name-missing",
    offset: first === undefined ? 0 : startOf(first),
    message: "the agent has no name",
    hint: `write \`# Agent: ${name || "Name"}\`, or \`name\` in the frontmatter; until then it is called ${unnamed}`,
  });
}

function reportStructure(parts: DocumentParts, text: string, report: Report): void {
  for (const param of parts.strayParams) {
    const message = "`<Param>` outside of a `<Tool>`";
    report({ rule: "param-place", offset: startOf(param), message, hint: "move it between `<Tool …>` and `</Tool>`" });
  }
  const { lastCode } = parts;
  if (lastCode === undefined || endOf(lastCode) < text.trimEnd().length) return;
  const written = text.slice(startOf(lastCode), endOf(lastCode)).trimEnd();
  const fence = /^(?:`{3,}|~{3,})/.exec(written)?.[0];
  const lastLine = written.slice(Math.max(written.lastIndexOf("\n"), written.lastIndexOf("\r")) + 1).trim();
  if (fence === undefined || (written.includes("\n") && lastLine.startsWith(fence))) return;
  const message = "the code block is not closed";
  const hint = "close it with a line of the same characters, or remove its first line";
  report({ rule: "code-fence-unclosed", offset: startOf(lastCode), message, hint });
}
