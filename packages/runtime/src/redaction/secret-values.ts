import type { Environment } from "@mdx-ai/models";
import { jsonValue } from "../json-value.ts";
import { isRecord } from "../record.ts";
import { looksSecret } from "./looks-secret.ts";

/** A text that nobody but the user may see, and what it is called in its place. */
export interface SecretValue {
  readonly name: string;
  readonly value: string;
}

/** Characters; what is shorter stands in too many innocent texts. */
const SHORTEST = 8;

/** What variables say whose names look secret, and is none. */
const WORDS: ReadonlySet<string> = new Set(
  "changeme default development disabled enabled localhost optional password production required undefined".split(" "),
);

/** The secrets among the user's variables, and those of a configuration; of one value the first name counts. */
export function secretValues(environment: Environment, secrets: readonly string[]): readonly SecretValue[] {
  const values = [
    ...Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && looksSecret(name, value) ? secretsIn(name, value.trim()) : [],
    ),
    ...secrets.map((value) => ({ name: "api_key", value: value.trim() })),
  ].filter(({ value }) => isSecret(value));
  return [...new Map(values.toReversed().map((secret) => [secret.value, secret])).values()];
}

/** The value itself, and what it is made of: the keys in a JSON text, the password in a URL. */
function secretsIn(name: string, value: string): readonly SecretValue[] {
  const safeName = name.replace(/[^\w.-]/g, "_").slice(0, 80);
  const keys = value.startsWith("{") ? keysIn(jsonValue(value)) : [];
  const passwords = value.includes("://") ? passwordsIn(value) : [];
  return [value, ...keys, ...passwords].map((one) => ({ name: safeName, value: one }));
}

function keysIn(value: unknown): readonly string[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "string" && looksSecret(name, inner) ? [inner] : keysIn(inner),
  );
}

function passwordsIn(value: string): readonly string[] {
  const password = URL.parse(value)?.password ?? "";
  return password === "" ? [] : [password, decoded(password)];
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

const isSecret = (value: string): boolean =>
  value.length >= SHORTEST &&
  !WORDS.has(value.toLowerCase()) &&
  !/^\d{1,11}$/.test(value) &&
  !isPath(value) &&
  !isAddress(value);

/** Where something is on this machine. */
const isPath = (value: string): boolean =>
  /^(?:~|\.{0,2}|[A-Za-z]:)[\\/][\w.@ -]+(?:[\\/][\w.@ -]+)*[\\/]?$/.test(value) && !holdsRandom(value);

/** Where something is in the net. */
const isAddress = (value: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^\s@?#]+$/i.test(value) && !holdsRandom(value);

/** A base64 text may look like a path, and the path of a URL may be its key. */
const holdsRandom = (value: string): boolean =>
  value
    .split(/[\\/]/)
    .some((part) => part.length >= 20 && /\d/.test(part) && /[A-Za-z]/.test(part) && !/[.@ ]/.test(part));
