import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentDirectory, Diagnostic } from "@mdx-ai/parser";
import type { TypeScript } from "./compiler/find-typescript.ts";
import { runCompiler } from "./compiler/run-compiler.ts";
import { checkedCode, projectFiles } from "./project/checked-code.ts";
import { layOutProject } from "./project/lay-out-project.ts";
import { readMessages } from "./read-messages.ts";

export interface TypeCheckOptions {
  readonly typescript: TypeScript;
  readonly signal: AbortSignal;
  /** Milliseconds that the compiler may take. */
  readonly deadline?: number;
}

export interface TypeCheck {
  readonly diagnostics: readonly Diagnostic[];
  /** The files of the author that were read, absolute. */
  readonly files: readonly string[];
}

/**
 * Checks the types of a directory's tools and modules, and of what they import from it, without running any code. Rejects
 * with `DirectoryError`: "unchecked", or "interrupted" once `signal` fires.
 */
export async function checkTypes(directory: AgentDirectory, options: TypeCheckOptions): Promise<TypeCheck> {
  const code = checkedCode(directory);
  if (code.tools.length === 0 && code.modules.length === 0) return { diagnostics: [], files: [] };
  const { typescript } = options;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mdx-ai-check-")));
  try {
    const plan = { folder, agentDir: directory.path, files: projectFiles(code), present: code.modules, typescript };
    const project = layOutProject(plan);
    const output = await runCompiler({ ...options, compiler: typescript.compiler, project });
    return readMessages(output, { code, project, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
