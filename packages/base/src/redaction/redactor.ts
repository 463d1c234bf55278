import { isRecord } from "../json/json.ts";
import type { Environment } from "../paths/environment.ts";
import { KEY_SHAPES, KEY_SIGNS, type KeyPlace, keyPaths } from "./key-shapes.ts";
import { type SecretPattern, secretPattern } from "./secret-pattern.ts";

/** Removes secrets from text that goes to a disk, a terminal or another program. No method throws; all are pure. */
export interface Redactor {
  /** A text with each secret replaced by `[redacted NAME]`, and each text that looks like a key by `[redacted KIND]`. */
  text(value: string): string;
  /**
   * A value as JSON on one line, with all texts redacted except the ones that programs depend on: ids, roles, names of tools and
   * models. A block that a provider signed loses its signature if it changes.
   */
  json(value: unknown): string;
  /** The same as a value; returns the given value if there is nothing to redact. Its shape stays, except for a signature. */
  value<Value>(value: Value): Value;
  /** Whether a UTF-8 text contains one of the user's secrets; texts that only look like keys do not count. Fast on large texts. */
  containsSecret(content: Uint8Array): boolean;
}

export interface RedactorOptions {
  /** The user's environment variables, some of which look secret. */
  readonly environment: Environment;
  /** Additional secrets, such as keys of a configuration. */
  readonly secrets?: readonly string[];
}

/** Redacts nothing. */
export const noRedactor: Redactor = {
  text: (value) => value,
  json: (value) => JSON.stringify(value),
  value: (value) => value,
  containsSecret: () => false,
};

/** A redactor that learns more secrets while the program starts. */
export interface LearningRedactor extends Redactor {
  /** Adds secrets; without any, reads the changed variables again. */
  learn(secrets?: readonly string[]): void;
}

/** Redacts the user's secrets and texts that look like a known key. Reads the variables on first use. */
export const createRedactor = (options: RedactorOptions): LearningRedactor => new KeyRedactor(options);

class KeyRedactor implements LearningRedactor {
  readonly #environment: Environment;
  readonly #texts: string[];
  #secrets: { readonly pattern: SecretPattern | undefined } | undefined;
  #keys: KeyPatterns | undefined;

  constructor({ environment, secrets = [] }: RedactorOptions) {
    this.#environment = environment;
    this.#texts = [...secrets];
  }

  learn(secrets?: readonly string[]): void {
    if (secrets?.every((secret) => this.#isKnown(secret))) return;
    this.#texts.push(...(secrets ?? []));
    this.#secrets = undefined;
  }

  text(value: string): string {
    const { pattern } = this.#known();
    return this.#withoutKeys(pattern === undefined ? value : withoutSecrets(value, pattern));
  }

  json(value: unknown): string {
    const json = JSON.stringify(value);
    return this.#mayHoldSecret(json) ? JSON.stringify(this.#redacted(value)) : json;
  }

  value<Value>(value: Value): Value;
  value(value: unknown): unknown {
    const json: string | undefined = JSON.stringify(value);
    return json !== undefined && this.#mayHoldSecret(json) ? this.#redacted(value) : value;
  }

  containsSecret(content: Uint8Array): boolean {
    const { pattern } = this.#known();
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (!pattern?.forms.some((form) => bytes.includes(form))) return false;
    // The match may be a part of a longer word.
    const matches = bytes.toString("utf8").matchAll(pattern.pattern);
    return matches.some(([match]) => pattern.nameOf(match) !== undefined);
  }

  #withoutKeys(text: string): string {
    if (!KEY_SIGNS.test(text)) return text;
    this.#keys ??= keyPatterns();
    const { shapes, places } = this.#keys;
    const shaped = text.replace(shapes, (_match, ...groups: unknown[]) => mark(kindAt(groups)));
    return places.reduce((rest, { kind, pattern }) => rest.replace(pattern, `$1${mark(kind)}`), shaped);
  }

  #redacted(value: unknown): unknown {
    return redactedValue(value, { redact: (text) => this.text(text), isToolData: false }, 0);
  }

  #mayHoldSecret(json: string): boolean {
    return KEY_SIGNS.test(json) || this.#known().pattern?.inJson.test(json) === true;
  }

  #isKnown(secret: string): boolean {
    return this.#texts.includes(secret) || this.#secrets?.pattern?.nameOf(secret.trim()) !== undefined;
  }

  #known(): { readonly pattern: SecretPattern | undefined } {
    this.#secrets ??= { pattern: secretPattern(this.#environment, this.#texts) };
    return this.#secrets;
  }
}

const withoutSecrets = (text: string, { pattern, nameOf }: SecretPattern): string =>
  text.replace(pattern, (match) => {
    const name = nameOf(match);
    return name === undefined ? match : mark(name);
  });

/** The patterns of keys, compiled for the first text that may contain one. */
interface KeyPatterns {
  /** With a group for each of `KEY_SHAPES`. */
  readonly shapes: RegExp;
  readonly places: readonly KeyPlace[];
}

const keyPatterns = (): KeyPatterns => ({
  shapes: new RegExp(KEY_SHAPES.map(({ pattern }) => `(${pattern})`).join("|"), "g"),
  places: keyPaths(),
});

const kindAt = (groups: readonly unknown[]): string =>
  KEY_SHAPES[groups.findIndex((group) => group !== undefined)]?.kind ?? "key";

const mark = (name: string): string => `[redacted ${name}]`;

/** Members that programs depend on, or that are not prose: a secret that equals one must not break a journal. */
const KEPT: ReadonlySet<string> = new Set(
  "type role id toolCallId toolName name provider model stopReason mimeType data redacted outcome step state action event actor level session_id tool_name".split(
    " ",
  ),
);

/** Members with arguments or results of a tool: all names and values within them are text. */
const TOOL_DATA: ReadonlySet<string> = new Set(["arguments", "args", "details", "input"]);

/** Levels of a value; deeper nesting is never intended data. */
const DEEPEST = 1000;
const TOO_DEEP = "[redacted as it is nested too deeply]";

interface Redaction {
  readonly redact: (text: string) => string;
  /** Whether the value is within a member of `TOOL_DATA`. */
  readonly isToolData: boolean;
}

function redactedValue(value: unknown, redaction: Redaction, depth: number): unknown {
  if (typeof value === "string") return redaction.redact(value);
  if (typeof value === "object" && depth > DEEPEST) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((element: unknown) => redactedValue(element, redaction, depth + 1));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map((entry) => redactedEntry(entry, redaction, depth + 1));
  if (redaction.isToolData || typeof value["signature"] !== "string" || isSame(value, entries)) {
    return Object.fromEntries(entries);
  }
  // A provider rejects the whole conversation if a text does not match its signature.
  return Object.fromEntries(entries.filter(([name]) => name !== "signature"));
}

function redactedEntry([name, value]: [string, unknown], redaction: Redaction, depth: number): [string, unknown] {
  const { redact, isToolData } = redaction;
  if (isToolData) return [redact(name), redactedValue(value, redaction, depth)];
  if (KEPT.has(name) && typeof value === "string") return [name, value];
  return [name, redactedValue(value, { redact, isToolData: TOOL_DATA.has(name) }, depth)];
}

const isSame = (record: Readonly<Record<string, unknown>>, entries: readonly [string, unknown][]): boolean =>
  JSON.stringify(record) === JSON.stringify(Object.fromEntries(entries));
