const MESSAGE =
  'The library "mdx-ai" needs Bun (https://bun.com): run this program with "bun FILE". The command needs neither Bun nor Node: npx mdx-ai.';

/**
 * What `import "mdx-ai"` loads under Node: a file that throws one line. It declares the library's exports, since Node looks for imported
 * names before it runs the file.
 */
export const needsBun = (names: readonly string[]): string =>
  `throw new Error(${JSON.stringify(MESSAGE)});\n${names.map((name) => `export let ${name};\n`).join("")}`;
