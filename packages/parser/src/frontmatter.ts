import { readYamlMap, type YamlProblem } from "@mdx-ai/base/yaml";
import { decodeText } from "./agent-files.ts";
import { readLenientYaml } from "./skills/skill-yaml.ts";
import { splitSkill } from "./skills/split-skill.ts";
import type { SourcePoint } from "./types/diagnostic.ts";

/** A Markdown file of another program, whose frontmatter may be missing or broken. */
export interface MarkdownFile {
  /** The keys of the frontmatter; empty if there is none. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether the frontmatter is YAML; if not, its lines were read one by one. */
  readonly isYaml: boolean;
  /** Why the frontmatter is not YAML as it is written; other programs may still read it. */
  readonly problem?: SourcePoint & { readonly message: string };
  /** The text below the frontmatter, with "\n" at the line ends and without blank lines around. */
  readonly body: string;
  /** The line of a key in the file, counted from 1; that of the frontmatter's start if it has no such key. */
  lineOf(key: string): number;
}

/** Reads the bytes of a Markdown file as leniently as the programs that write such files do. Never throws. */
export function readMarkdownFile(bytes: Uint8Array): MarkdownFile {
  const text = decodeText(bytes)
    .text.replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n");
  const { frontmatter, body, start } = /^\s*---[ \t]*\n/.test(text)
    ? splitSkill(text)
    : { frontmatter: "", body: text, start: 0 };
  const { fields, isYaml, problem } = readFields(frontmatter);
  // Two lines of dashes with prose between them are no frontmatter.
  if (Object.keys(fields).length === 0 && frontmatter.trim() !== "") return plainFile(text);
  const firstLine = text.slice(0, start).split("\n").length;
  return {
    fields,
    isYaml,
    ...(problem !== undefined && { problem: { ...pointAt(text, start + problem.offset), message: problem.message } }),
    body: withoutBlankLines(body),
    lineOf: (key) => {
      const index = frontmatter.split("\n").findIndex((line) => /^["']?([\w-]+)["']?[ \t]*:/.exec(line)?.[1] === key);
      return firstLine + Math.max(index, 0);
    },
  };
}

const plainFile = (text: string): MarkdownFile => ({
  fields: {},
  isYaml: true,
  body: withoutBlankLines(text),
  lineOf: () => 1,
});

const withoutBlankLines = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();

/** Values such as `description: Use it when: …` are YAML once they are in quotes; what is none even then is read line by line. */
function readFields(frontmatter: string): ReadFields {
  const { value, problems } = readYamlMap(frontmatter);
  const [problem] = problems;
  if (problem === undefined) return { fields: value, isYaml: true };
  const quotedYaml = readYamlMap(withQuotes(frontmatter));
  if (quotedYaml.problems.length === 0) return { fields: quotedYaml.value, isYaml: true, problem };
  return { fields: Object.fromEntries(readLenientYaml(frontmatter)), isYaml: false, problem };
}

interface ReadFields extends Pick<MarkdownFile, "fields" | "isYaml"> {
  readonly problem?: YamlProblem;
}

/** In a text whose lines end with "\n". */
function pointAt(text: string, offset: number): SourcePoint {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

const withQuotes = (frontmatter: string): string =>
  frontmatter.replace(/^([A-Za-z][\w-]*):[ \t]+(\S.*)$/gm, (line, key: string, value: string) =>
    readYamlMap(line).problems.length === 0 ? line : `${key}: ${JSON.stringify(value.trim())}`,
  );
