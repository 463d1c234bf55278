import type { DirectoryCheck } from "@mdx-ai/directory/checking";
import { plainLine } from "@mdx-ai/directory/text";
import type { Diagnostic } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { diagnosticHead, SEVERITY_COLOURS, shownPath } from "../output/diagnostics-text.ts";
import { createPaint } from "../output/paint.ts";
import { textWidth, WIDEST, wrapped } from "../output/text-width.ts";
import { themeOf } from "../output/theme.ts";
import { markedLine, type SourceFile, sourceFile } from "./marked-line.ts";
import { sourceExcerpt } from "./source-excerpt.ts";

/**
 * Each diagnostic with its position, the line of the file with that position marked, and the hint, as paragraphs. Wrapped if the
 * width of the output is known.
 */
export function explainedDiagnostics({ directory, texts }: DirectoryCheck, context: CommandContext): readonly string[] {
  const { stdout, environment, keys } = context;
  const width = textWidth(stdout, environment);
  const paint = createPaint(stdout, environment);
  const { ellipsis } = themeOf(environment);
  // Before anything is cut or wrapped: half a key is not recognised.
  const redact = (text: string): string => keys.text(text);
  const prose = (text: string, indent: string): string => (width === undefined ? text : wrapped(text, width, indent));
  const files = new Map<string, SourceFile>();

  const excerpt = (diagnostic: Diagnostic): readonly string[] => {
    const text = texts.get(diagnostic.file);
    if (text === undefined) return [];
    const file = files.getOrInsertComputed(diagnostic.file, () => sourceFile(text, redact));
    const line = markedLine(diagnostic, file);
    const colour = SEVERITY_COLOURS[diagnostic.severity];
    return line === undefined ? [] : [sourceExcerpt(line, { width: width ?? WIDEST, ellipsis, colour, paint })];
  };
  const explained = (diagnostic: Diagnostic): string => {
    const { message, hint, file } = diagnostic;
    const head = diagnosticHead(diagnostic, shownPath(context, directory, file), paint);
    return [
      prose(`${head} ${redact(plainLine(message))}`, "    "),
      ...excerpt(diagnostic),
      ...(hint === undefined ? [] : [`  ${paint("dim", prose(redact(plainLine(hint)), "  "))}`]),
    ].join("\n");
  };
  return directory.diagnostics.map(explained);
}
