import type { SkillDefinition } from "@mdx-ai/parser";

/** Whether a text is a command: `/` and a word, not a path; and no skill or prompt of an MCP server, which is sent to the model. */
export const isCommand = (text: string, skills: readonly SkillDefinition[]): boolean =>
  /^\/[\w:.-]*(\s|$)/.test(text) && !text.startsWith("/mcp:") && !skillNames(skills).includes(nameOf(text));

/** The name of the command in a text, with its slash. */
export const nameOf = (text: string): string => text.split(/\s/, 1)[0] ?? "";

/** The words behind the name. */
export const wordsOf = (text: string): string => text.slice(nameOf(text).length).trim();

/** The skills as they are used: `/skill:NAME`. */
export const skillNames = (skills: readonly SkillDefinition[]): readonly string[] =>
  skills.map(({ name }) => `/skill:${name}`);
