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
 * takes the tree apart while doing so. Undefined, and reported, if the compiler refuses the document.
 */
export async function compileProgram(document: Compilable, report: Report): Promise<string | undefined> {
  const [{ compile }, { SourceMapGenerator }] = await Promise.all([import("@mdx-js/mdx"), import("source-map")]);
  for (const element of document.without) empty(element);
  /** Replaces the parser, so that nothing is parsed twice. */
  function giveTree(this: Processor): void {
    this.parser = () => document.tree;
  }
  try {
    const file = { value: document.source.text, path: "agent.mdx" };
    const options = { format: "mdx", jsxImportSource: "mdx-ai", SourceMapGenerator } as const;
    const program = await compile(file, { ...options, remarkPlugins: [giveTree] });
    return `${program}\n${mapComment(program.map)}`;
  } catch (error) {
    reportFailure(error, report);
    return undefined;
  }
}

/** The source map from the program to the document, as the last line of the program. */
function mapComment(map: unknown): string {
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString("base64")}`;
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
    message: `cannot compile the MDX (${message?.reason ?? String(error)})`,
    hint: "correct the imports, exports and expressions of the file",
  });
}
