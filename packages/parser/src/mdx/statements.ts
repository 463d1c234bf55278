import { parse, preprocess } from "micromark";
import { mdxjsEsm } from "micromark-extension-mdxjs-esm";
import type { Construct, Extension, State } from "micromark-util-types";
import type { VFile } from "vfile";
import type { VFileMessage } from "vfile-message";
import { lenient } from "../markdown/lenient-construct.ts";
import { addSyntax, markdown } from "../markdown/markdown.ts";
import { reportTo } from "../markdown/messages.ts";
import { quoted } from "../report.ts";
import { ACORN_OPTIONS, javaScriptMistake, syntaxMessage, watchedAcorn } from "./watched-acorn.ts";

/** Code that a sentence is not: `export your data` is none. */
const LIKE_STATEMENT =
  /^(?:import\s*(?:type\s+)?(?:["'{*(]|[\w$]+\s*(?:,|from\b))|export\s+(?:default\s+(?:async|class|function|[\w$]+\s*(?:[;(]|$)|[({["'`])|type|interface|const|let|var|function|async|class|\{|\*))/;

/** Ends a parse that has found what it looks for. */
class StatementFound extends Error {
  override readonly name = "StatementFound";
}

/**
 * Whether a file has an `import` or `export` at its top level, outside of fences, which makes it MDX. A line that looks like one and
 * is none gets a warning if the file is Markdown. Throws `TooSlowError`.
 */
export function hasStatement(file: VFile): boolean {
  const text = String(file);
  const broken = new Map<number, string>();
  try {
    parseBlocks(text, statementSyntax(broken, text.length));
  } catch (error) {
    if (error instanceof StatementFound) return true;
    throw error;
  }
  for (const [offset, reason] of broken) reportBroken(file, offset, reason);
  return false;
}

/** Finds the blocks of a text, without the tree and without the content of lines, which take most of the time. */
function parseBlocks(text: string, syntax: Extension): void {
  const processor = markdown(text);
  addSyntax(processor, { syntax: [syntax] });
  const { micromarkExtensions = [] } = processor.freeze().data();
  parse({ extensions: micromarkExtensions.flat() })
    .document()
    .write(preprocess()(text, undefined, true));
}

/** Throws `StatementFound` for the first statement, and collects by its offset why a line is none. What is none is text. */
function statementSyntax(broken: Map<number, string>, length: number): Extension {
  const { flow = {} } = mdxjsEsm({ acorn: watchedAcorn(length), acornOptions: ACORN_OPTIONS });
  const found: State = () => {
    throw new StatementFound();
  };
  const watching = (construct: Construct): Construct => ({
    ...construct,
    tokenize(effects, _ok, nok) {
      const { offset } = this.now();
      const onFailure = (message: VFileMessage): unknown =>
        broken.set(offset, reasonOf(syntaxMessage(message) ?? message));
      return lenient({ construct, context: this, effects, ok: found, nok, onFailure });
    },
  });
  return {
    flow: Object.fromEntries(Object.entries(flow).map(([code, one]) => [code, [one ?? []].flat().map(watching)])),
  };
}

const reasonOf = (thrown: VFileMessage): string => javaScriptMistake(thrown) ?? thrown.reason;

function reportBroken(file: VFile, offset: number, reason: string): void {
  const line = /^[^\r\n]*/.exec(String(file).slice(offset))?.[0] ?? "";
  if (!LIKE_STATEMENT.test(String(file).slice(offset, offset + 500))) return;
  reportTo(file)({
    rule: "mdx-statement",
    offset,
    message: `the file is read as Markdown, and ${quoted(line)} is text, because it is not a statement of JavaScript (${reason})`,
    hint: "correct the statement, or put a space before it if it is text",
  });
}
