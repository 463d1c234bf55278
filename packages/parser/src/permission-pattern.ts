import type { AccessPermissions, PermissionAction, PermissionSettings } from "./types/agent-settings.ts";

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

const MAX_LENGTH = 1_000;
/** Braces, brackets and a leading "!" mean something elsewhere: here a denial with them would deny nothing. */
const form = /^(?!!)([^()[\]{}\p{Cc}]+)(?:\(([^\p{Cc}]+)\))?$/u;

/** Reads a pattern such as `bash`, `bash(git *)`, `write_file(out/**)` or `mcp.*`; undefined if it has another form. */
export function permissionPattern(text: string): PermissionPattern | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, tool, subject] = form.exec(text) ?? [];
  if (tool === undefined || tool.trim() !== tool) return undefined;
  if (subject === undefined) return { tool };
  return subject.trim() === "" ? undefined : { tool, subject };
}

/** A pattern as it is written: what `permissionPattern` reads. */
export const patternText = ({ tool, subject }: PermissionPattern): string =>
  subject === undefined ? tool : `${tool}(${subject})`;

/** The decision about the calls that a pattern matches. */
export interface PermissionRule extends PermissionPattern {
  readonly action: PermissionAction;
}

const actions = ["allow", "ask", "deny"] as const satisfies readonly PermissionAction[];

/**
 * The rules of a map of permissions, in its order: of those that match a call, the last one decides. Throws a
 * `MalformedPermissionError` if a pattern has no form that `permissionPattern` reads.
 */
export function permissionRules(settings: PermissionSettings): readonly PermissionRule[] {
  return Object.entries(settings).flatMap(([pattern, said]) =>
    typeof said === "string" ? [{ ...read(pattern), action: said }] : rulesOf(pattern, said),
  );
}

/** `write_file: {allow: ["out/**"]}` means `write_file(out/**): allow`. */
function rulesOf(tool: string, subjectsOf: AccessPermissions): readonly PermissionRule[] {
  if (read(tool).subject !== undefined) throw new MalformedPermissionError(tool);
  return Object.keys(subjectsOf).flatMap((word) => {
    const action = actions.find((known) => known === word);
    const subjects = action === undefined ? undefined : subjectsOf[action];
    if (action === undefined || subjects === undefined) return [];
    return subjects.map((subject) => ({ ...read(`${tool}(${subject})`), action }));
  });
}

function read(text: string): PermissionPattern {
  const pattern = permissionPattern(text);
  if (pattern === undefined) throw new MalformedPermissionError(text);
  return pattern;
}
