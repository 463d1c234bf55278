import type { Root } from "mdast";
import type { Processor } from "unified";
import type { Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import { syntaxMessageOf } from "./syntax/syntax-message.ts";
import type { JsxElement } from "./syntax-tree.ts";

/** A document that was read to the end. */
export interface Compilable {
  readonly tree: Root;
  readonly source: SourceText;
  /** Elements that are no prose. */
  readonly without: readonly JsxElement[];
}

/**
 * Compiles a parsed document without its tools to an ES module; see `AgentDefinition.program`. Empties the tools and
 * takes the tree apart while doing so. Undefined, and reported, where the compiler refuses the document.
 */
export async function compileProgram(document: Compilable, report: Report): Promise<string | undefined> {
  const { compile } = await import("@mdx-js/mdx");
  for (const element of document.without) empty(element);
  /** Stands in for the parser, so that nothing is parsed twice. */
  function giveTree(this: Processor): void {
    this.parser = () => document.tree;
  }
  try {
    const file = { value: document.source.text, path: "agent.mdx" };
    return String(await compile(file, { format: "mdx", jsxImportSource: "mdx-ai", remarkPlugins: [giveTree] }));
  } catch (error) {
    reportFailure(error, report);
    return undefined;
  }
}

/** An element without name, attributes and children is a fragment that renders nothing. */
function empty(element: JsxElement): void {
  element.name = null;
  element.attributes = [];
  element.children = [];
}

function reportFailure(error: unknown, report: Report): void {
  const message = syntaxMessageOf(error);
  report({
    rule: "mdx-esm",
    offset: message?.offset ?? 0,
    message: `unexpected code (${message?.reason ?? String(error)}), expected MDX that compiles`,
    hint: "mend the imports, exports and expressions of the file",
  });
}
