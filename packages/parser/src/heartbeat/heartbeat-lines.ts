import type { Code, Nodes } from "mdast";
import { type Block, endOf, nodesFrom, startOf } from "../markdown/syntax-tree.ts";
import { cronExpression } from "./cron.ts";
import { type DirectiveLine, directiveOf, takesCode } from "./directives.ts";

/** A line of a section. */
export interface Line {
  readonly text: string;
  readonly offset: number;
}

/** A line with the directives below it. */
export interface TaskLine extends Line {
  readonly directives: readonly DirectiveLine[];
}

/** The lines of a section with times, and the directives that belong to no line. */
export interface TimedLines {
  readonly lines: readonly TaskLine[];
  readonly directives: readonly DirectiveLine[];
}

type Part =
  | { readonly type: "code"; readonly node: Code; readonly offset: number }
  /** `starts` a task, unless it is a directive. */
  | ({ readonly type: "line"; readonly starts: boolean } & WrittenLine);

/** A line without the bullet of a list, and with it. */
interface WrittenLine extends Line {
  readonly written: string;
}

/**
 * Reads the blocks of a section with times by their lines, because Markdown takes some cron lines for lists or rules. In a list each
 * item is a task, and what is below its first line belongs to it.
 */
export function timedLines(blocks: readonly Block[], text: string): TimedLines {
  const lines: OpenTask[] = [];
  const loose: DirectiveLine[] = [];
  for (const part of blocks.flatMap((block) => partsOf(block, text))) {
    const task = lines.at(-1);
    const directives = task?.directives ?? loose;
    if (part.type === "code") addCode(part.node, { task, last: directives.at(-1), text });
    else {
      const directive = directiveOf(part.text, part.offset);
      if (directive !== undefined) directives.push(directive);
      else if (part.starts || task === undefined) lines.push({ text: part.text, offset: part.offset, directives: [] });
      else task.text += `\n  ${part.written}`;
    }
  }
  return { lines, directives: loose };
}

interface OpenTask {
  text: string;
  readonly offset: number;
  readonly directives: DirectiveLine[];
}

interface CodeContext {
  readonly task: OpenTask | undefined;
  /** The directive before the code. */
  readonly last: DirectiveLine | undefined;
  readonly text: string;
}

/** Code belongs to the directive before it, else to the text of the task. */
function addCode(code: Code, { task, last, text }: CodeContext): void {
  if (last !== undefined && takesCode(last)) last.code = code;
  else if (task !== undefined) task.text += `\n${indented(text.slice(startOf(code), endOf(code)))}`;
}

const indented = (code: string): string => code.replace(/^[ \t]*(?=\S)/gm, "  ");

function partsOf(block: Block, text: string): readonly Part[] {
  switch (block.type) {
    case "html":
    case "yaml":
    case "definition":
      return [];
    case "code":
      return [{ type: "code", node: block, offset: startOf(block) }];
    case "list":
      return block.children.flatMap((item) =>
        nodeParts(item, text, beginsWithCron(text.slice(startOf(item), endOf(item))) ? "each" : "first"),
      );
    default:
      return nodeParts(block, text, "each");
  }
}

function nodeParts(node: Nodes, text: string, starting: "first" | "each"): readonly Part[] {
  const codes = [...nodesFrom([node])].filter((inner) => inner.type === "code");
  const read = node.type === "listItem" ? withoutBullet : asWritten;
  const lines = linesBetween(text, startOf(node), endOf(node), read).filter(
    ({ offset }) => !codes.some((code) => startOf(code) <= offset && offset < endOf(code)),
  );
  return [
    ...lines.map((line, index): Part => ({ type: "line", starts: starting === "each" || index === 0, ...line })),
    ...codes.map((code): Part => ({ type: "code", node: code, offset: startOf(code) })),
  ].sort((one, other) => one.offset - other.offset);
}

type ReadLine = (written: string, offset: number) => WrittenLine;

/** The lines that are not blank. */
function linesBetween(text: string, start: number, end: number, read: ReadLine): readonly WrittenLine[] {
  const lines = text.slice(start, end).matchAll(/\S[^\r\n]*/g);
  return Array.from(lines, (line) => read(line[0].trimEnd(), start + line.index)).filter((line) => line.text !== "");
}

const asWritten: ReadLine = (written, offset) => ({ text: written, offset, written });

function withoutBullet(written: string, offset: number): WrittenLine {
  const bullet = /^[-+*](?:\s+|$)/.exec(written)?.[0] ?? "";
  const length = beginsWithCron(written) ? 0 : bullet.length;
  return { text: written.slice(length), offset: offset + length, written };
}

/** Whether a text begins with a cron expression whose first field is a star, and not with a bullet before an expression. */
function beginsWithCron(text: string): boolean {
  if (!/^\*[ \t]+[\d*?]\S*[ \t]+[\d*?L]\S*[ \t]+\S+[ \t]+\S/.test(text)) return false;
  const words = (/^[^\r\n]*/.exec(text)?.[0] ?? "").split(/[\s:]+/).slice(1);
  return ![5, 6, 7].some((count) => cronExpression(words.slice(0, count).join(" ")) !== undefined);
}
