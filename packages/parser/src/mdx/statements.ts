import { mdxjsEsm } from "micromark-extension-mdxjs-esm";
import type { Construct, Extension, State } from "micromark-util-types";
import type { VFile } from "vfile";
import type { VFileMessage } from "vfile-message";
import { quoted } from "../report.ts";
import { lenient } from "./lenient-construct.ts";
import { addSyntax, markdown } from "./markdown.ts";
import { reportTo } from "./messages.ts";
import { ACORN_OPTIONS, javaScriptMistake, syntaxMessage, watchedAcorn } from "./watched-acorn.ts";

/** Code that a sentence is not: `export your data` is none. */
const LIKE_STATEMENT =
  /^(?:import\s*(?:type\s+)?(?:["'{*(]|[\w$]+\s*(?:,|from\b))|export\s+(?:default\s+(?:async|class|function|[\w$]+\s*(?:[;(]|$)|[({["'`])|type|interface|const|let|var|function|async|class|\{|\*))/;

/**
 * Whether a file has an `import` or `export` at its top level, outside of fences, which makes it MDX. A line that looks like one and
 * is none gets a warning if the file is Markdown. Throws `TooSlowError`.
 */
export function hasStatement(file: VFile): boolean {
  const text = String(file);
  const found = { statements: 0, broken: new Map<number, string>() };
  const processor = markdown(text);
  addSyntax(processor, { syntax: [statementSyntax(found, text.length)] });
  processor.parse(text);
  if (found.statements > 0) return true;
  for (const [offset, reason] of found.broken) reportBroken(file, offset, reason);
  return false;
}

interface FoundStatements {
  statements: number;
  /** Why it is no statement, by the offset of its line. */
  readonly broken: Map<number, string>;
}

/** Counts statements; what is none is text. */
function statementSyntax(found: FoundStatements, length: number): Extension {
  const { flow = {} } = mdxjsEsm({ acorn: watchedAcorn(length), acornOptions: ACORN_OPTIONS });
  const counting = (construct: Construct): Construct => ({
    ...construct,
    tokenize(effects, ok, nok) {
      const { offset } = this.now();
      const counted: State = (code) => {
        found.statements++;
        return ok(code);
      };
      const onFailure = (message: VFileMessage): unknown =>
        found.broken.set(offset, reasonOf(syntaxMessage(message) ?? message));
      return lenient({ construct, context: this, effects, ok: counted, nok, onFailure });
    },
  });
  return {
    flow: Object.fromEntries(Object.entries(flow).map(([code, one]) => [code, [one ?? []].flat().map(counting)])),
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
