import type { Root } from "mdast";
import remarkMdx from "remark-mdx";
import type { Processor, Transformer } from "unified";
import type { VFile } from "vfile";
import { VFileMessage } from "vfile-message";
import { reportTo } from "../markdown/messages.ts";
import type { JsxElement } from "../markdown/syntax-tree.ts";
import { mdxProblem } from "./mdx-problem.ts";
import { codeRanges, undefinedComponents } from "./undefined-components.ts";
import { ACORN_OPTIONS, syntaxMessage, watchedAcorn } from "./watched-acorn.ts";

declare module "vfile" {
  interface DataMap {
    /** See `AgentDefinition.program`. */
    program: string;
  }
}

/** A plugin that reads the syntax of MDX in place of that of elements. Serves one parse. */
export function mdxSyntax(this: Processor, text: string): void {
  this.use(remarkMdx, { acorn: watchedAcorn(text.length), acornOptions: ACORN_OPTIONS });
}

/** Parses a file. Reports the error of the compiler, which is the first one of the file, and returns undefined. Throws `TooSlowError`. */
export function parseMdx(processor: { parse(file: VFile): Root }, file: VFile): Root | undefined {
  try {
    return processor.parse(file);
  } catch (error) {
    const message = syntaxMessage(error);
    if (message === undefined) throw error;
    reportTo(file)(mdxProblem(message, String(file)));
    return undefined;
  }
}

/** A plugin that compiles the prose of MDX, without elements that are no prose. It takes the tree apart: it must be the last one. */
export const program = (): Transformer<Root> => async (tree, file) => {
  const { tools = [], agents = [], strays = [] } = file.data.parts ?? {};
  for (const element of [...tools, ...agents, ...strays]) empty(element);
  const ranges = codeRanges(tree);
  try {
    const compiled = await compileProgram(tree, file);
    for (const problem of undefinedComponents(compiled, String(file), ranges)) reportTo(file)(problem);
    file.data.program = compiled;
  } catch (error) {
    if (!(error instanceof VFileMessage)) throw error;
    reportTo(file)(mdxProblem(error, String(file)));
  }
};

/**
 * Compiles a parsed document to an ES module; see `AgentDefinition.program`. Takes the tree apart while doing so. Rejects with the message
 * of the compiler.
 */
async function compileProgram(tree: Root, file: VFile): Promise<string> {
  const [{ compile }, { SourceMapGenerator }] = await Promise.all([import("@mdx-js/mdx"), import("source-map")]);
  /** Replaces the parser, so that nothing is parsed twice. */
  function giveTree(this: Processor): void {
    this.parser = () => tree;
  }
  const options = { format: "mdx", jsxImportSource: "mdx-ai", SourceMapGenerator } as const;
  const program = await compile({ value: String(file), path: "agent.mdx" }, { ...options, remarkPlugins: [giveTree] });
  return `${program}\n${mapComment(program.map)}`;
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
