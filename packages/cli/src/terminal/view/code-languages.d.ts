/** A part of code, and what it is, such as `title.function`; a part without a scope is as what it is in. */
export interface CodeScope {
  readonly scope?: string;
  readonly children: readonly (CodeScope | string)[];
}

/** The scopes of code in one of the languages that answers of models contain most; undefined for others. Never throws. */
export function scopesOf(code: string, language: string): CodeScope | undefined;
