/** A pattern of permissions cannot be read. It may be a denial, so it is never ignored. */
export class MalformedPermissionError extends Error {
  override readonly name = "MalformedPermissionError";
  readonly pattern: string;

  constructor(pattern: string) {
    super(`cannot read the permission pattern \`${pattern}\`; expected one such as \`bash\` or \`bash(git *)\``);
    this.pattern = pattern;
  }
}

/** What a pattern of permissions names: a tool, and maybe what its call accesses. */
export interface PermissionPattern {
  /** A tool's name as its author wrote it; `*` matches any characters, also none. */
  readonly tool: string;
  /** The part in parentheses: a glob of a command, of a path, or of `parameter=value`; absent for all calls. */
  readonly subject?: string;
}

const longest = 1_000;
/** Braces, brackets and a leading "!" mean something elsewhere: here a denial with them would deny nothing. */
const form = /^(?!!)([^()[\]{}\p{Cc}]+)(?:\(([^\p{Cc}]+)\))?$/u;

/** Reads a pattern such as `bash`, `bash(git *)`, `write_file(out/**)` or `mcp.*`; undefined where it has another form. */
export function permissionPattern(text: string): PermissionPattern | undefined {
  if (text.length > longest) return undefined;
  const [, tool, subject] = form.exec(text) ?? [];
  if (tool === undefined || tool.trim() !== tool) return undefined;
  if (subject === undefined) return { tool };
  return subject.trim() === "" ? undefined : { tool, subject };
}

/** A pattern as it is written: what `permissionPattern` reads. */
export const patternText = ({ tool, subject }: PermissionPattern): string =>
  subject === undefined ? tool : `${tool}(${subject})`;
