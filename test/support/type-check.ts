import { type AgentDirectory, byFileAndPosition, type Diagnostic, readAgentDirectory } from "@mdx-ai/parser";
import { checkTypes } from "../../packages/directory/src/checking/check-directory.ts";
import { findTypeScript, type TypeScript } from "../../packages/directory/src/checking/compiler.ts";
import { writeFiles } from "./agent-files.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** The compiler of this repository. */
function typeScript(): TypeScript {
  const found = findTypeScript([import.meta.dir]);
  if (found === undefined) throw new Error("there is no TypeScript; install the packages");
  return found;
}

/** The diagnostics of the types of an agent directory with these files, which `agent.mdx` must be among. */
export async function checkedFiles(files: Readonly<Record<string, string>>): Promise<readonly Diagnostic[]> {
  using home = temporaryDirectory();
  return await checkedDirectory(await readAgentDirectory(writeFiles(home.path, files)));
}

/** The diagnostics of the types of an agent directory; the compiler may take so many milliseconds. */
export async function checkedDirectory(directory: AgentDirectory, deadline = 50_000): Promise<readonly Diagnostic[]> {
  const { signal } = new AbortController();
  const { diagnostics } = await checkTypes(directory, { typescript: typeScript(), signal, deadline });
  return diagnostics.toSorted(byFileAndPosition);
}

/** Such as `agent.mdx:12:3 tool-types`. */
export const placeAndRule = ({ file, line, column, rule }: Diagnostic): string => `${file}:${line}:${column} ${rule}`;

/** An agent.mdx with these tools. */
export const agentWith = (...tools: readonly string[]): string =>
  ["# Agent: Typed\n\n## Purpose\n\nBe checked.\n", ...tools].join("\n");

/** A tool `name` with `<Param>` tags and a block of code. */
export const typedTool = (name: string, inner: string, code: string): string =>
  `<Tool name="${name}" description="D">\n${inner}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n</Tool>\n`;
