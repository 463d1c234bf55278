import type { Root } from "mdast";
import { locate } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import type { Diagnostic, TextEdit } from "../types/diagnostic.ts";
import { TooComplexError } from "./javascript-in-text.ts";
import { closingTagProblem } from "./syntax/closing-tag-problem.ts";
import { foreseenProblems } from "./syntax/foreseen-problems.ts";
import { esmProblem, expressionProblem } from "./syntax/javascript-problem.ts";
import { type SyntaxMessage, type SyntaxProblem, syntaxMessageOf } from "./syntax/syntax-message.ts";
import { tagProblem } from "./syntax/tag-problem.ts";
import { type FailedMdx, parseMdx } from "./syntax-tree.ts";

const mostRounds = 100;
const fewestRounds = 2;
/** Characters that all rounds together may read. */
const mostCharacters = 250_000;

/** A document with all its syntax errors, as far as they could be repaired in memory. */
export interface RecoveredDocument {
  /** The text that was parsed in the end. */
  readonly source: SourceText;
  /** Absent if an error could not be repaired. */
  readonly tree?: Root;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a repair removed tags or code. */
  readonly lost: boolean;
}

/** Parses MDX; after a syntax error it repairs the text in memory and parses again, to find all errors. Never throws. */
export function parseWithRecovery(original: SourceText, file: string): RecoveredDocument {
  const notes: Notes = { file, diagnostics: [], lostTags: new Set(), timesAt: new Map() };
  const { diagnostics, lostTags } = notes;
  let source = original;
  for (let round = 1; ; round++) {
    const attempt = parseMdx(source.text);
    if ("tree" in attempt) return { source, tree: attempt.tree, diagnostics, lost: lostTags.size > 0 };
    const found = syntaxProblem(attempt, source.text);
    const isLast = isLastRound(round, source.text.length);
    const repair = note(isLast ? withMore(found) : found, source, notes);
    if (repair === undefined || isLast) return { source, diagnostics, lost: true };
    const repairs = foreseenAfter(found, repair, source.text).map((problem) => note(problem, source, notes));
    // From the end on, so that the offsets of the others stay right.
    for (const edit of [repair, ...repairs].reverse()) if (edit !== undefined) source = source.edited(edit);
  }
}

/** What is in prose is often there many times. */
function foreseenAfter(found: SyntaxProblem, repair: TextEdit, text: string): readonly SyntaxProblem[] {
  const isProse = /^mdx-(?:tag|expression)$/.test(found.rule) && found.fix === repair && repair.start === found.offset;
  return isProse ? foreseenProblems(text, Math.max(repair.end, found.offset + 1)) : [];
}

interface Notes {
  readonly file: string;
  readonly diagnostics: Diagnostic[];
  readonly lostTags: Set<string>;
  /** How often an error was found at each position of the file. */
  readonly timesAt: Map<string, number>;
}

/** Records an error and returns how to continue; undefined if nothing helped. */
function note(found: SyntaxProblem, source: SourceText, notes: Notes): TextEdit | undefined {
  const diagnostic = locate(found, source, notes.file);
  const position = `${diagnostic.rule}:${diagnostic.line}:${diagnostic.column}`;
  const times = (notes.timesAt.get(position) ?? 0) + 1;
  notes.timesAt.set(position, times);
  const follows = found.closes !== undefined && notes.lostTags.has(found.closes);
  if (times === 1 && !follows) notes.diagnostics.push(diagnostic);
  if (found.lost !== undefined) notes.lostTags.add(found.lost);
  if (times === 1) return found.repair ?? found.fix;
  notes.lostTags.add("Tool");
  return times === 2 ? escaped(found.offset) : undefined;
}

/** The last resort: the character is no longer a tag, a brace or a fence. */
function escaped(offset: number): TextEdit {
  return { start: offset, end: offset, text: "\\" };
}

function isLastRound(round: number, length: number): boolean {
  return round >= mostRounds || (round >= fewestRounds && (round + 1) * length > mostCharacters);
}

/** Describes a syntax error in the author's words and finds its repair. */
function syntaxProblem({ error, opening }: FailedMdx, text: string): SyntaxProblem {
  if (error instanceof TooComplexError) return tooComplexProblem(error);
  const message = syntaxMessageOf(error, opening);
  if (message === undefined) return unknownProblem(error);
  switch (message.source) {
    case "micromark-extension-mdx-jsx":
      return tagProblem(message, text);
    case "mdast-util-mdx-jsx":
      return closingTagProblem(message, text);
    case "micromark-extension-mdx-expression":
      return expressionProblem(message, text);
    case "micromark-extension-mdxjs-esm":
      return esmProblem(message, text);
    default:
      return otherProblem(message);
  }
}

function otherProblem({ reason, offset = 0 }: SyntaxMessage): SyntaxProblem {
  const message = `cannot parse the MDX (${reason})`;
  return { rule: "mdx-syntax", offset, message, hint: "correct the text here" };
}

function tooComplexProblem({ message, offset }: TooComplexError): SyntaxProblem {
  const hint = "simplify it, or put it into a code block or a module";
  return { rule: "mdx-syntax", offset, message: `cannot parse the MDX (${message})`, hint };
}

function unknownProblem(error: unknown): SyntaxProblem {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `the MDX parser failed (${reason})`;
  return { rule: "mdx-syntax", offset: 0, message, hint: "nest fewer elements, braces or calls within each other" };
}

function withMore(found: SyntaxProblem): SyntaxProblem {
  const hint = [found.hint, "there may be more errors: fix this one and check again"];
  return { ...found, hint: hint.filter((part) => part !== undefined).join("; ") };
}
