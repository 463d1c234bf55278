import type { Root } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkParse from "remark-parse";
import { type Data, type Processor, unified } from "unified";
import { watchdog } from "./watchdog.ts";

/** The processor with which every kind of file begins: Markdown with frontmatter, for the one text. Throws `TooSlowError`. */
export function markdown(text: string): Processor<Root> {
  const processor = unified().use(remarkParse).use(remarkFrontmatter);
  addSyntax(processor, { syntax: [watchdog(text)] });
  return processor;
}

/** Parses CommonMark with frontmatter, which has no syntax errors. Throws `TooSlowError`. */
export const parseMarkdown = (text: string): Root => markdown(text).parse(text);

/** An extension of the syntax: how it is read, and which nodes it makes. */
interface AddedSyntax {
  readonly syntax: readonly NonNullable<Data["micromarkExtensions"]>[number][];
  readonly nodes?: NonNullable<Data["fromMarkdownExtensions"]>[number];
}

/** Extends the syntax that a processor reads. */
export function addSyntax(processor: { data(): Data }, { syntax, nodes }: AddedSyntax): void {
  const data = processor.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), ...syntax];
  if (nodes !== undefined) data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), nodes];
}
