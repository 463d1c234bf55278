import type { Root } from "mdast";
import remarkMdx from "remark-mdx";
import type { VFile } from "vfile";
import type { VFileMessage } from "vfile-message";
import { markdown } from "../markdown/markdown.ts";
import { reportTo, virtualFile } from "../markdown/messages.ts";
import { mdxProblem } from "../mdx/mdx-problem.ts";
import { program } from "../mdx/program.ts";
import { ACORN_OPTIONS, syntaxMessage, watchedAcorn } from "../mdx/watched-acorn.ts";
import { tools } from "../tools/tools.ts";
import { identity } from "./identity.ts";
import { settings } from "./settings.ts";

/** Mistakes that do not follow from how a file is read. */
const INDEPENDENT = /^(?:frontmatter|setting|mcp|permission|tool|param|schema|example)-/;

/**
 * Reads MDX into the data and the messages of its file. With an error of the compiler, which is the first one of the file, what Markdown
 * shows of it still is read. Rejects with `TooSlowError`.
 */
export async function readMdx(file: VFile, readMarkdown: (file: VFile) => Promise<void>): Promise<void> {
  const text = String(file);
  const javaScript = { acorn: watchedAcorn(text.length), acornOptions: ACORN_OPTIONS };
  const processor = markdown(text).use(remarkMdx, javaScript).use(settings).use(tools).use(identity).use(program);
  const failure = parsed(() => processor.parse(file));
  if ("tree" in failure) {
    await processor.run(failure.tree, file);
    return;
  }
  reportTo(file)(mdxProblem(failure.message, text));
  await readAsMarkdown(file, readMarkdown);
}

function parsed(parse: () => Root): { readonly tree: Root } | { readonly message: VFileMessage } {
  try {
    return { tree: parse() };
  } catch (error) {
    const message = syntaxMessage(error);
    if (message === undefined) throw error;
    return { message };
  }
}

async function readAsMarkdown(file: VFile, readMarkdown: (file: VFile) => Promise<void>): Promise<void> {
  const copy = virtualFile(String(file), file.path);
  Object.assign(copy.data, { ...file.data, hasLostElements: true });
  await readMarkdown(copy);
  Object.assign(file.data, copy.data);
  file.messages.push(...copy.messages.filter(({ ruleId = "" }) => INDEPENDENT.test(ruleId)));
}
