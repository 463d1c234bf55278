/** Code and comments of Markdown, in which an `@` imports nothing. */
const NOT_PROSE =
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))|(`+)(?!`)[^\n]*?[^`\n]\2(?!`)|<!--[\s\S]*?-->/gm;

/** An import: `@` and a path, after a blank or at the start. A blank in a path is written `\ `. */
const IMPORT = /(?<=^|\s)@((?:[^\s\\]|\\ )+)/g;

/**
 * The paths that a CLAUDE.md imports, such as `docs/rules.md` for `@docs/rules.md`, in order, each once. Other programs read them from
 * the user's home too (`@~/…`); such a path is returned as it is.
 */
export function importsOf(text: string): readonly string[] {
  const found = text.replaceAll(NOT_PROSE, " ").matchAll(IMPORT);
  const paths = [...found].map(([, path = ""]) => path.replaceAll("\\ ", " ").replace(/[.,;:!?)\]]+$/, ""));
  return [...new Set(paths)].filter((path) => path !== "");
}
