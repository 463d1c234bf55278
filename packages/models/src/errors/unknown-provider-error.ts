/** A model reference that names no provider of this version. */
export class UnknownProviderError extends Error {
  override readonly name = "UnknownProviderError";
  /** As the user wrote it. */
  readonly reference: string;
  /** What the user may have meant. */
  readonly suggestion: string | undefined;

  constructor(reference: string, suggestion?: string) {
    const meant = suggestion === undefined ? "" : ` Did you mean ${JSON.stringify(suggestion)}?`;
    super(
      `Unknown model ${JSON.stringify(reference)}.${meant} Write vendor/NAME (such as anthropic/claude-sonnet-5-5), ai-sdk:PACKAGE#NAME, script:FILE or offline.`,
    );
    this.reference = reference;
    this.suggestion = suggestion;
  }
}
