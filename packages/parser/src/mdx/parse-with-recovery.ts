import type { Root } from "mdast";
import { locate } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import type { Diagnostic, TextEdit } from "../types/diagnostic.ts";
import { TooComplexError } from "./javascript-in-text.ts";
import type { MdxFailure } from "./lenient-mdx.ts";
import { closingTagProblem } from "./syntax/closing-tag-problem.ts";
import { esmProblem, expressionProblem } from "./syntax/javascript-problem.ts";
import { type SyntaxMessage, type SyntaxProblem, syntaxMessageOf } from "./syntax/syntax-message.ts";
import { tagProblem } from "./syntax/tag-problem.ts";
import { type FailedMdx, parseMdx } from "./syntax-tree.ts";

const mostRounds = 100;
const fewestRounds = 2;
/** Of the errors that one parse finds. */
const mostAtOnce = 5_000;
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
    const isLast = isLastRound(round, source.text.length);
    const [found, ...further] = syntaxProblems(attempt, source.text);
    const repair = note(isLast ? withMore(found) : found, source, notes);
    const edits = [repair, ...further.map((problem) => note(problem, source, notes))].filter(
      (edit) => edit !== undefined,
    );
    if (repair === undefined || isLast) return { source, diagnostics, lost: true };
    // From the end on, so that the offsets of the others stay right.
    for (const edit of edits.sort((one, other) => other.start - one.start)) source = source.edited(edit);
  }
}

/**
 * The first error, and those of the further ones that surely are errors too: one escape fixes each of them and the first. An
 * escape may cover several, and what is after one that hides blocks is uncertain.
 */
function syntaxProblems({ first, further }: FailedMdx, text: string): readonly [SyntaxProblem, ...SyntaxProblem[]] {
  const found = readFailure(first, text);
  if (!found.isEscape) return [found.problem];
  const others: SyntaxProblem[] = [];
  let end = 0;
  for (const one of [found, ...further.slice(0, mostAtOnce).map((failure) => readFailure(failure, text))].sort(
    byStart,
  )) {
    if (!one.isEscape) break;
    if (one === found) end = Math.max(end, one.end);
    else if (one.start >= end && (one.end <= found.start || one.start >= found.end)) {
      others.push(one.problem);
      end = one.end;
    }
    if (one.hidesBlocks) break;
  }
  return [found.problem, ...others];
}

interface FailureReading {
  readonly problem: SyntaxProblem;
  /** The range of the construct up to the end of its fix. */
  readonly start: number;
  readonly end: number;
  /** Whether the fix makes text of it, or corrects one tag within a paragraph, so that what is after it stays what it is. */
  readonly isEscape: boolean;
  /** Whether the parser took lines for parts of it that may start lists, quotes or code if it is text. */
  readonly hidesBlocks: boolean;
}

function readFailure(failure: MdxFailure, text: string): FailureReading {
  const problem = syntaxProblem(failure, text);
  const { fix, repair, lost, rule } = problem;
  const start = Math.min(failure.within?.offset ?? problem.offset, problem.offset);
  const end = Math.max(fix?.end ?? 0, problem.offset + 1);
  const isText = repair === undefined && fix?.start === problem.offset && rule !== "mdx-closing-tag";
  // Another fix of a tag writes lines or removes some.
  const isTag = rule === "mdx-closing-tag" && (repair ?? fix) === fix && /^[^\r\n]+$/.test(fix?.text ?? "");
  const reached = failure.within?.type === "flow" ? (syntaxMessageOf(failure.error)?.offset ?? text.length) : end;
  return {
    problem,
    start,
    end,
    isEscape: failure.within !== undefined && lost === undefined && (isText || isTag),
    hidesBlocks: /[\r\n]/.test(text.slice(start, Math.max(end, reached))),
  };
}

const byStart = (one: FailureReading, other: FailureReading): number => one.start - other.start;

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
function syntaxProblem({ error, within }: MdxFailure, text: string): SyntaxProblem {
  if (error instanceof TooComplexError) return tooComplexProblem(error);
  const message = syntaxMessageOf(error, within?.offset);
  if (message === undefined) return unknownProblem(error);
  switch (message.source) {
    case "micromark-extension-mdx-jsx":
      return tagProblem(message, text);
    case "mdast-util-mdx-jsx":
      return closingTagProblem(message, text, within?.opening);
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
