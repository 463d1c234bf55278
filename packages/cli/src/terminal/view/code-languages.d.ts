/** A part of code and its scope, such as `title.function`; without a scope it inherits its parent's. */
export interface CodeScope {
  readonly scope?: string;
  readonly children: readonly (CodeScope | string)[];
}

/** The scopes of code in one of the most common languages; undefined for other languages. Never throws. */
export function scopesOf(code: string, language: string): CodeScope | undefined;
