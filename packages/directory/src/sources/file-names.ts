import { isVisible } from "@mdx-ai/base";

/** Longest path and part of a path, in bytes, that all systems accept below a folder of the user. */
const MAX_PATH = 1024;
const MAX_NAME = 255;
const MAX_DEPTH = 32;

/**
 * What is wrong with the path of a file in a package, as the end of a sentence; undefined if it is a relative path that means one file
 * on every system.
 */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "is empty";
  if (path.startsWith("/")) return "is absolute";
  if (path.includes("\\")) return "contains a backslash";
  if (path.includes("\0") || !isVisible(path) || path.includes("\ufffd")) return "contains invisible characters";
  if (Buffer.byteLength(path) > MAX_PATH) return `is longer than ${MAX_PATH} bytes`;
  const names = path.split("/");
  if (names.length > MAX_DEPTH) return `is deeper than ${MAX_DEPTH} folders`;
  if (names.includes("..")) return "leads out of the package by `..`";
  if (names.some((name) => name === "" || name === ".")) return "contains an empty name or `.`";
  if (names.some((name) => Buffer.byteLength(name) > MAX_NAME)) return `contains a name longer than ${MAX_NAME} bytes`;
  if (names.some((name) => /[. ]$/.test(name))) return "contains a name that ends with a dot or a space";
  return undefined;
}

/** The form in which two names are equal if any usual file system takes them for the same file: by case or by Unicode. */
export const foldedName = (name: string): string =>
  name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");

/** Names that are never part of an agent, wherever they are. */
const NEVER: ReadonlySet<string> = new Set([".git", "node_modules", ".ds_store", "thumbs.db", ".npmrc", ".netrc"]);

/** Data that the runtime writes beside an agent.mdx. */
const DATA: ReadonlySet<string> = new Set(["sessions", "state", "logs"]);

/** Variables with values, which are the user's; examples of them are the agent's. */
const isSecretFile = (name: string): boolean =>
  /^\.env(?:\.|$)/.test(name) && !/\.(?:example|sample|template)$/.test(name);

/** Whether nothing below a name in a folder is part of an agent, given whether the folder contains an agent.mdx. */
export function isLeftOut(name: string, isInAgent: boolean): boolean {
  const folded = foldedName(name);
  return NEVER.has(folded) || isSecretFile(folded) || (isInAgent && DATA.has(folded));
}
