import type { SecretValue } from "./secret-values.ts";

/** How secrets are found in a text. */
export interface SecretPattern {
  /** Matches a secret in each form that it may have, and what stands in place of one already. */
  readonly pattern: RegExp;
  /** The secret that a match is; undefined for what stands in place of one. */
  nameOf(match: string): string | undefined;
  /** Found in each JSON text that holds a secret. */
  readonly inJson: RegExp;
}

/** Nothing within it is replaced again. */
const MARK: string = String.raw`\[redacted [\w. -]{1,90}\]`;

/** A pattern of secrets; undefined where there are none. */
export function secretPattern(secrets: readonly SecretValue[]): SecretPattern | undefined {
  if (secrets.length === 0) return undefined;
  const names = new Map(secrets.toReversed().flatMap(({ name, value }) => formsOf(value).map((form) => [form, name])));
  // Of two that begin alike, the longer one.
  const forms = [...names.keys()].toSorted((one, other) => other.length - one.length);
  return {
    pattern: new RegExp([MARK, ...forms.map(formPattern)].join("|"), "g"),
    nameOf: (match) => names.get(match),
    inJson: new RegExp([...new Set(forms.map(inJson))].map(RegExp.escape).join("|")),
  };
}

const inJson = (form: string): string => JSON.stringify(form).slice(1, -1);

/** A word of one alphabet may be a part of a longer one. */
const formPattern = (form: string): string =>
  /^[a-z]+$|^[A-Z]+$/.test(form) ? `(?<![A-Za-z0-9])${form}(?![A-Za-z0-9])` : RegExp.escape(form);

/** A secret as it is, as JSON and URLs quote it, and in base64, alone or with something before it. */
function formsOf(value: string): readonly string[] {
  const encoded = [0, 1, 2].map((before) => base64Inside(value, before));
  const inUrl = encodeURIComponent(value.toWellFormed());
  return [
    value,
    inJson(value),
    inJson(inJson(value)),
    inUrl,
    inUrl.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    ...encoded,
    ...encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** The part of a base64 text that tells of the value alone, where so many bytes stand before it (modulo 3). */
function base64Inside(value: string, before: number): string {
  const text = new TextEncoder().encode(`${"\0".repeat(before)}${value}`).toBase64();
  const whole = text.replace(/=+$/, "");
  return whole.slice(before === 0 ? 0 : before + 1, whole.length === text.length ? undefined : -1);
}
