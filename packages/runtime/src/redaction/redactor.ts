import type { Environment } from "@mdx-ai/models";
import { KEY_PLACES, KEY_SHAPES, KEY_SIGNS } from "./key-shapes.ts";
import { redactValue } from "./redact-value.ts";
import { type SecretPattern, secretPattern } from "./secret-pattern.ts";
import { secretValues } from "./secret-values.ts";

/** Takes keys out of what leaves for a disk, a terminal or another program. Nothing here throws; all is pure. */
export interface Redactor {
  /** A text with `[redacted NAME]` in place of each secret and `[redacted KIND]` in place of what looks like a key. */
  text(value: string): string;
  /**
   * A value that JSON can hold, as JSON on one line, with the same done to all its texts but those that a program goes by:
   * ids, roles, names of tools and models. What a provider signed loses its signature where it changes.
   */
  json(value: unknown): string;
  /** The same as a value: the very one where there is nothing to replace. */
  value(value: unknown): unknown;
}

export interface RedactorOptions {
  /** The variables of the user: those that look secret are. */
  readonly environment: Environment;
  /** More secrets, such as keys of a configuration. */
  readonly secrets?: readonly string[];
}

/** Leaves everything as it is. */
export const noRedactor: Redactor = {
  text: (value) => value,
  json: (value) => JSON.stringify(value),
  value: (value) => value,
};

/** A redactor that knows the secrets of the user and the looks of known keys. It looks at the variables when first used. */
export const createRedactor = (options: RedactorOptions): Redactor => new KeyRedactor(options);

class KeyRedactor implements Redactor {
  readonly #options: RedactorOptions;
  #secrets: { readonly pattern: SecretPattern | undefined } | undefined;

  constructor(options: RedactorOptions) {
    this.#options = options;
  }

  text(value: string): string {
    const { pattern } = this.#known();
    return withoutKeys(pattern === undefined ? value : withoutSecrets(value, pattern));
  }

  json(value: unknown): string {
    const json = JSON.stringify(value);
    return this.#isSuspicious(json) ? JSON.stringify(this.#redacted(value)) : json;
  }

  value(value: unknown): unknown {
    const json: string | undefined = JSON.stringify(value);
    return json !== undefined && this.#isSuspicious(json) ? this.#redacted(value) : value;
  }

  #redacted(value: unknown): unknown {
    return redactValue(value, (text) => this.text(text));
  }

  #isSuspicious(json: string): boolean {
    return KEY_SIGNS.test(json) || this.#known().pattern?.inJson.test(json) === true;
  }

  #known(): { readonly pattern: SecretPattern | undefined } {
    const { environment, secrets = [] } = this.#options;
    this.#secrets ??= { pattern: secretPattern(secretValues(environment, secrets)) };
    return this.#secrets;
  }
}

const withoutSecrets = (text: string, { pattern, nameOf }: SecretPattern): string =>
  text.replace(pattern, (match) => {
    const name = nameOf(match);
    return name === undefined ? match : mark(name);
  });

const SHAPES = new RegExp(KEY_SHAPES.map(({ pattern }) => `(${pattern})`).join("|"), "g");

function withoutKeys(text: string): string {
  if (!KEY_SIGNS.test(text)) return text;
  const shaped = text.replace(SHAPES, (_match, ...groups: unknown[]) => mark(kindAt(groups)));
  return KEY_PLACES.reduce((rest, { kind, pattern }) => rest.replace(pattern, `$1${mark(kind)}`), shaped);
}

const kindAt = (groups: readonly unknown[]): string =>
  KEY_SHAPES[groups.findIndex((group) => group !== undefined)]?.kind ?? "key";

const mark = (name: string): string => `[redacted ${name}]`;
