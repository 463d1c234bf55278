/** One message of the compiler. */
export interface CompilerMessage {
  /** As the compiler names it: relative to the folder in which it ran. */
  readonly file: string;
  /** As the compiler counts: from 1, columns in UTF-16 code units; U+2028 and U+2029 end a line, too. */
  readonly line: number;
  readonly column: number;
  /** Such as 2322. */
  readonly code: number;
  /** The first line. */
  readonly text: string;
  /** The lines with details, from the outer to the inner. */
  readonly details: readonly string[];
}

export interface CompilerOutput {
  readonly messages: readonly CompilerMessage[];
  /** Messages without a position in a file, such as an unknown option. */
  readonly complaints: readonly string[];
  /** The files that were read, absolute. */
  readonly files: readonly string[];
}

const LOCATED = /^(.+?)\((\d+),(\d+)\): error TS(\d+): (.*)$/;

/** Reads what `tsc --pretty false --listFiles` prints. */
export function parseCompilerOutput(output: string): CompilerOutput {
  const messages: CompilerMessage[] = [];
  const complaints: string[] = [];
  const files: string[] = [];
  for (const line of output.split(/\r?\n/)) {
    const message = locatedMessage(line);
    const last = messages.at(-1);
    if (message !== undefined) messages.push(message);
    else if (/^\s/.test(line) && last !== undefined)
      messages[messages.length - 1] = { ...last, details: [...last.details, line.trim()] };
    else if (/^(?:\/|[A-Za-z]:[/\\])/.test(line)) files.push(line);
    else if (line.trim() !== "") complaints.push(line.trim());
  }
  return { messages, complaints, files };
}

function locatedMessage(line: string): CompilerMessage | undefined {
  const [, file, at, column, code, text] = LOCATED.exec(line) ?? [];
  if (file === undefined || text === undefined) return undefined;
  return { file, line: Number(at), column: Number(column), code: Number(code), text, details: [] };
}
