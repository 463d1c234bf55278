/** How Bun is to read the code of a tool. */
export type CodeLoader = "ts" | "tsx" | "js" | "jsx";

/** The loader of a tool's code: by the ending of its file, that of TypeScript for code in agent.mdx. */
export function codeLoader(file?: string): CodeLoader {
  if (file === undefined || /\.[cm]?ts$/i.test(file)) return "ts";
  if (/\.tsx$/i.test(file)) return "tsx";
  return /\.jsx$/i.test(file) ? "jsx" : "js";
}
