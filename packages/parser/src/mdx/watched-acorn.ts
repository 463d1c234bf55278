import { type Options, Parser } from "acorn";
import jsx from "acorn-jsx";
import { VFileMessage } from "vfile-message";
import { Deadline, TooSlowError } from "../markdown/watchdog.ts";

/** How the JavaScript of MDX is read. */
export const ACORN_OPTIONS: Options = { ecmaVersion: 2024, sourceType: "module" };

const JsxParser = Parser.extend(jsx());

/**
 * Characters times lines of one piece of code. The parser of MDX looks through the lines for the position of each node, which no clock can
 * stop: code of 100 KB takes seconds, and is better in a file of its own.
 */
const MAX_CODE = 100_000_000;

/** The parser of JavaScript for one text: the parser of MDX tries each brace and each blank line that may end it. */
export function watchedAcorn(length: number): Pick<typeof Parser, "parse" | "parseExpressionAt"> {
  const deadline = new Deadline(length);
  return {
    parse: (input, options) => withinLimits(deadline, input, () => JsxParser.parse(input, options)),
    parseExpressionAt: (input, position, options) =>
      withinLimits(deadline, input, () => JsxParser.parseExpressionAt(input, position, options)),
  };
}

/** The parser of MDX takes all that is thrown for an error of JavaScript, which has a position. */
function withinLimits<Tree>(deadline: Deadline, code: string, parse: () => Tree): Tree {
  try {
    deadline.check();
    if (code.length * code.split("\n").length > MAX_CODE) throw new TooSlowError();
    return parse();
  } catch (error) {
    const isLimit = error instanceof TooSlowError || error instanceof RangeError;
    throw isLimit ? Object.assign(new TooSlowError(), { pos: 0, loc: { line: 1, column: 0 } }) : error;
  }
}

/** What was thrown about a text; throws the `TooSlowError` that the parser of MDX took for an error of JavaScript. */
export function syntaxMessage(error: unknown): VFileMessage | undefined {
  if (!(error instanceof VFileMessage)) return undefined;
  if (error.cause instanceof TooSlowError) throw error.cause;
  return error;
}

/** What the parser of JavaScript says of a text, without its position; undefined if the mistake is one of MDX. */
export const javaScriptMistake = ({ cause }: VFileMessage): string | undefined =>
  cause instanceof Error ? cause.message.replace(/\s*\(\d+:\d+\)$/, "") : undefined;
