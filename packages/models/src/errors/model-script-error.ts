/** A model script that cannot be read. The message starts with `file:line` where a line is at fault, else with the file. */
export class ModelScriptError extends Error {
  override readonly name = "ModelScriptError";
  /** Absolute. */
  readonly file: string;
  /** Starts at 1; absent where the whole file is at fault. */
  readonly line: number | undefined;

  constructor(problem: string, place: { readonly file: string; readonly line?: number; readonly cause?: unknown }) {
    const { file, line, cause } = place;
    super(`${file}${line === undefined ? "" : `:${line}`}: ${problem}`, cause === undefined ? undefined : { cause });
    this.file = file;
    this.line = line;
  }
}
