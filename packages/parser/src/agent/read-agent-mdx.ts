import type { VFile } from "vfile";
import { agentElements } from "../agents/agent-elements.ts";
import { elements } from "../elements/elements.ts";
import { literalKeys } from "../literal-keys.ts";
import { markdown } from "../markdown/markdown.ts";
import { reportTo, virtualFile } from "../markdown/messages.ts";
import { isTooComplex, tooComplex } from "../markdown/watchdog.ts";
import { tools } from "../tools/tools.ts";
import type { ProseFile } from "../types/agent-definition.ts";
import { identity } from "./identity.ts";
import { settings } from "./settings.ts";

declare module "vfile" {
  interface DataMap {
    kind: ProseFile["kind"];
  }
}

/**
 * Reads the text of an agent.mdx: what it says is the data of the file, what is wrong with it are its messages. Executes nothing and reads no
 * other file; never rejects, whatever the text. `hasModules`: whether the directory has modules, which may bring tools.
 */
export async function readAgentMdx(text: string, path: string, hasModules: boolean): Promise<VFile> {
  const file = virtualFile(text, path);
  file.data.hasModules = hasModules;
  try {
    await read(file);
    for (const problem of literalKeys(String(file))) reportTo(file)(problem);
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    file.messages.splice(0);
    reportTo(file)(tooComplex(error, String(file)));
  }
  return file;
}

/** What makes of a text the data and messages of its file. MDX brings a syntax of its own, and compiles the prose at the end. */
const chain = (text: string, mdx?: Mdx) =>
  markdown(text)
    .use(mdx === undefined ? [elements] : [[mdx.mdxSyntax, text]])
    .use(settings)
    .use(tools)
    .use(agentElements)
    .use(identity)
    .use(mdx === undefined ? [] : [mdx.program]);

type Mdx = typeof import("../mdx/mdx.ts");

/** Mistakes that do not follow from how a file is read. */
const INDEPENDENT = /^(?:frontmatter|setting|mcp|permission|tool|param|schema|example|agent)-/;

/** Rejects with `TooSlowError`. With an error of MDX, reads what Markdown shows of the file. */
async function read(file: VFile): Promise<void> {
  const text = String(file);
  const mdx = (await isMdx(file)) ? await import("../mdx/mdx.ts") : undefined;
  file.data.kind = mdx === undefined ? "markdown" : "mdx";
  const processor = chain(text, mdx);
  const tree = mdx === undefined ? processor.parse(file) : mdx.parseMdx(processor, file);
  if (tree !== undefined) return void (await processor.run(tree, file));
  const reported = file.messages.length;
  file.data.hasLostElements = true;
  const asMarkdown = chain(text);
  await asMarkdown.run(asMarkdown.parse(file), file);
  file.messages.push(...file.messages.splice(reported).filter(({ ruleId = "" }) => INDEPENDENT.test(ruleId)));
}

/** A line that begins as a statement of a module does. */
const STATEMENT_LINE = /^(?:import|export) /m;

/** Whether a file is MDX. The parser of JavaScript is loaded for the few files that may be. */
async function isMdx(file: VFile): Promise<boolean> {
  if (!STATEMENT_LINE.test(String(file))) return false;
  const { hasStatement } = await import("../mdx/statements.ts");
  return hasStatement(file);
}
