import { join } from "node:path";
import { type SourceTypes, sourceFile, sourceTypes } from "./declarations.ts";

const ROOT = join(import.meta.dir, "../..");
const ENTRY = join(ROOT, "packages/cli/src/index.ts");

/** The file of the program that holds the text. */
export const AUTHOR_TYPES_FILE: string = join(ROOT, "packages/directory/src/checking/author-types.ts");

/** The types that code of an agent directory may import from `mdx-ai`. */
export const AUTHOR_NAMES = [
  "AgentModule",
  "AgentTool",
  "ModuleContext",
  "PromptResult",
  "ToolContext",
  "ToolResult",
] as const;

/** The content of that file: these types and those that they use, as the packages declare them. */
export async function authorTypesFile(): Promise<string> {
  const escaped = (await authorTypes()).replace(/[\\`]|\$\{/g, "\\$&");
  return `// Written by \`npm run author-types\` from the types of the runtime.
/** The types that authors of tools and modules may import, in one self-contained text. */
export const AUTHOR_TYPES = \`${escaped}\`;
`;
}

async function authorTypes(): Promise<string> {
  const files = new Map<string, SourceTypes>();
  const texts = new Map<string, string>();
  const read = async (file: string): Promise<SourceTypes> => {
    const types = files.get(file) ?? sourceTypes(file, await Bun.file(file).text());
    files.set(file, types);
    return types;
  };
  const add = async (name: string, file: string): Promise<void> => {
    const { declared, foreign } = await read(file);
    const [type, source] = [declared.get(name), foreign.get(name)];
    if (source !== undefined) return add(name, await sourceFile(file, source, ROOT));
    // What no file declares is of the language.
    if (type === undefined || texts.has(name)) return;
    texts.set(name, "");
    for (const used of type.uses) await add(used, file);
    // What a type uses comes before it.
    texts.delete(name);
    texts.set(name, type.text);
  };
  for (const name of AUTHOR_NAMES) await add(name, ENTRY);
  return `${[...texts.values()].join("\n\n")}\n`;
}
