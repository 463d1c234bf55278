import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { errorCode } from "@mdx-ai/base";
import { type MarkdownFile, readMarkdownFile } from "@mdx-ai/parser/frontmatter";
import { DirectoryError } from "../directory-error.ts";
import { isFolder } from "../paths.ts";
import type { ImportedAgent, NotesOn } from "./imported-agent.ts";

/** A Markdown file of another program. */
export interface SourceFile extends MarkdownFile {
  /** Absolute. */
  readonly path: string;
}

/** The maximum bytes of an agent.mdx. */
const MAX_SIZE = 16 * 1024 * 1024;

/** Reads a source. Throws `DirectoryError` ("import"). */
export function readSource(path: string): SourceFile {
  return { path, ...readMarkdownFile(readUtf8(path)) };
}

/** The bytes of a regular file of UTF-8 text. Throws `DirectoryError` ("import"). */
export function readUtf8(path: string): Uint8Array {
  const bytes = readBytes(path);
  if (!isUtf8(bytes)) throw new DirectoryError("import", `${path} is not valid UTF-8; save it as UTF-8`);
  return bytes;
}

/** The bytes of a regular file. Throws `DirectoryError` ("import"). */
export function readBytes(path: string): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size > MAX_SIZE) throw new DirectoryError("import", `${path} is too large: ${size} bytes, at most ${MAX_SIZE}`);
    return readFileSync(path);
  } catch (cause) {
    if (cause instanceof DirectoryError) throw cause;
    throw new DirectoryError("import", `cannot read ${path} (${errorCode(cause) ?? String(cause)})`, { cause });
  }
}

/** The Markdown files in and below a folder, sorted, absolute; links are not followed. Empty if the folder does not exist. */
export function markdownFiles(folder: string): readonly string[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return markdownFiles(path);
      return entry.isFile() && /\.md$/i.test(entry.name) ? [path] : [];
    });
}

/** A file's name without its extension. */
export const stemOf = (path: string): string => basename(path, extname(path));

/** A string field of the frontmatter; undefined if it is empty or not a scalar. */
export function textField({ fields }: MarkdownFile, key: string): string | undefined {
  const value = fields[key];
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}

/** The parts of an agent besides its name, description and prompt. */
interface AgentParts extends Pick<ImportedAgent, "format" | "rules" | "notes"> {
  /** The name if the file has none. Default: the file's name. */
  readonly defaultName?: string;
  readonly settings?: {
    readonly model?: string | undefined;
    temperature?: number | undefined;
    turns?: number | undefined;
  };
  readonly builtins?: ImportedAgent["builtins"] | undefined;
  readonly skills?: ImportedAgent["skills"];
}

/** The agent that a file describes. */
export function agentOf(source: SourceFile, parts: AgentParts): ImportedAgent {
  const { format, rules, notes, defaultName, settings = {}, builtins, skills = [] } = parts;
  const { model, temperature, turns } = settings;
  const description = textField(source, "description");
  return {
    format,
    source: source.path,
    name: textField(source, "name") ?? defaultName ?? stemOf(source.path),
    ...(description !== undefined && { description }),
    prompt: source.body,
    settings: {
      ...(model !== undefined && { model }),
      ...(temperature !== undefined && { temperature }),
      ...(turns !== undefined && { limits: { turns } }),
    },
    ...(builtins !== undefined && { builtins }),
    rules,
    skills,
    agents: [],
    notes,
  };
}

/** The valid range of a numeric setting. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
  readonly isWhole?: boolean;
}

/** The valid limits of turns. */
export const TURNS: NumberRange = { from: 1, to: Number.MAX_SAFE_INTEGER, isWhole: true };

/** A number of the frontmatter; undefined if it is missing or out of range. Notes the latter. */
export function numberField(
  { fields, lineOf }: SourceFile,
  key: string,
  { range, on }: { readonly range: NumberRange; readonly on: NotesOn },
): number | undefined {
  if (!(key in fields)) return undefined;
  const value = fields[key];
  const { from, to, isWhole = false } = range;
  if (typeof value === "number" && value >= from && value <= to && !(isWhole && !Number.isInteger(value))) return value;
  on.leftOut(`the key ${key}: expected ${isWhole ? "a whole number" : "a number"} from ${from}`, lineOf(key));
  return undefined;
}

/** Notes the unknown keys. */
export function noteOthers(
  { fields, lineOf }: SourceFile,
  { known, on }: { readonly known: readonly string[]; readonly on: NotesOn },
): void {
  for (const key of Object.keys(fields)) if (!known.includes(key)) on.leftOut(`the key ${key}`, lineOf(key));
}

/** The items of a list in any form: a YAML list, or a string with commas, blanks, dashes or brackets. */
export function listField({ fields }: MarkdownFile, key: string): readonly string[] | undefined {
  const value = fields[key];
  if (value === undefined) return undefined;
  if (value === null) return [];
  const parts: readonly unknown[] = Array.isArray(value) ? value : splitList(String(value));
  return parts.map((part) => String(part).trim()).filter((part) => part !== "");
}

/** Commas and blanks in parentheses belong to their word, as in `Bash(git log *), Read`. */
const splitList = (text: string): readonly string[] =>
  text
    .replace(/^\s*\[|\]\s*$/g, "")
    .match(/(?:\([^)]*\)|[^\s,(])+/g)
    ?.filter((word) => word !== "-") ?? [];

/** Lower-case words with hyphens, as required for names of skills and folders; `fallback` if nothing is left. */
export function kebabCase(text: string, fallback: string): string {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? [fallback];
  return words.join("-").slice(0, 64).replace(/-$/, "");
}

/** The first line with text, without the marks of a heading, at most 200 characters. */
export const firstLine = (body: string): string | undefined =>
  body
    .split("\n")
    .map((line) => line.replace(/^#+\s*/, "").trim())
    .find((line) => line !== "")
    ?.slice(0, 200);

/** The name, with the first free number from 2 on if it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

/** Characters that YAML must escape, although JSON need not. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

/** Strings that YAML reads as strings even without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w ./-]*[\w.]$/i;

/** A string as a YAML value or key, on one line. */
export const yamlText = (text: string): string =>
  PLAIN.test(text) ? text : JSON.stringify(text).replace(UNPRINTABLE, (character) => `\\u${hex(character)}`);

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, "0");
