/** A pattern of permissions has a form that says nothing; it may have been a denial, so it is not passed over. */
export class MalformedPermissionError extends Error {
  override readonly name = "MalformedPermissionError";
  readonly pattern: string;

  constructor(pattern: string) {
    super(`unexpected pattern \`${pattern}\` of permissions, expected one such as \`bash\` or \`bash(git *)\``);
    this.pattern = pattern;
  }
}
