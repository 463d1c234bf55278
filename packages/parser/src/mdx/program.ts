import type { Root } from "mdast";
import type { Transformer } from "unified";
import { VFileMessage } from "vfile-message";
import { compileProgram } from "./compile-program.ts";
import { mdxProblem } from "./mdx-problem.ts";
import { reportTo } from "./messages.ts";

declare module "vfile" {
  interface DataMap {
    /** See `AgentDefinition.program`. */
    program: string;
  }
}

/** A plugin for MDX that compiles the prose, and takes the tree apart: it must be the last one. */
export const program = (): Transformer<Root> => async (tree, file) => {
  const { tools = [], strays = [] } = file.data.parts ?? {};
  try {
    file.data.program = await compileProgram(tree, file, [...tools, ...strays]);
  } catch (error) {
    if (!(error instanceof VFileMessage)) throw error;
    reportTo(file)(mdxProblem(error, String(file)));
  }
};
