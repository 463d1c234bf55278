import { attempt } from "../errors/attempt.ts";
import { isRecord, jsonValue } from "../json/json.ts";
import type { Environment } from "../paths/environment.ts";
import { KEY_SHAPES, KEY_SIGNS } from "./key-shapes.ts";

/** Finds secrets in a text. */
export interface SecretPattern {
  /** Matches a secret in each of its forms, and the mark that replaces one. */
  readonly pattern: RegExp;
  /** All secrets in all their forms. */
  readonly forms: readonly string[];
  /** The name of the matched secret; undefined for a mark. */
  nameOf(match: string): string | undefined;
  /** Matches every JSON text that holds a secret. */
  readonly inJson: RegExp;
}

/** The mark that replaces a secret; nothing within it is replaced again. */
const MARK: string = String.raw`\[redacted [\w. -]{1,90}\]`;

/**
 * The pattern of the secrets among the user's variables and of `more`, such as keys of a configuration; undefined without any
 * secret. If two have the same value, the first name is used.
 */
export function secretPattern(environment: Environment, more: readonly string[]): SecretPattern | undefined {
  const secrets = secretValues(environment, more);
  if (secrets.length === 0) return undefined;
  const names = new Map(
    secrets.toReversed().flatMap(({ name, value }) => secretForms(value).map((form) => [form, name])),
  );
  // If one is a prefix of another, the longer one matches.
  const forms = [...names.keys()].toSorted((one, other) => other.length - one.length);
  return {
    pattern: new RegExp([MARK, ...forms.map(formPattern)].join("|"), "g"),
    forms,
    nameOf: (match) => names.get(match),
    inJson: new RegExp([...new Set(forms.map(inJson))].map(RegExp.escape).join("|")),
  };
}

const inJson = (form: string): string => JSON.stringify(form).slice(1, -1);

/** A secret of letters in one case may be a part of a longer word. */
const formPattern = (form: string): string =>
  /^[a-z]+$|^[A-Z]+$/.test(form) ? `(?<![A-Za-z0-9])${form}(?![A-Za-z0-9])` : RegExp.escape(form);

/** A secret as it is, as quoted in JSON, URLs and pages, and in base64 at any offset. */
export function secretForms(value: string): readonly string[] {
  const encoded = [0, 1, 2].map((before) => base64Inside(value, before));
  const inUrls = [encodeURIComponent(value.toWellFormed()), formEncoded(value)];
  return [
    value,
    inJson(value),
    inJson(inJson(value)),
    Bun.escapeHTML(value),
    ...inUrls,
    ...inUrls.map((text) => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())),
    ...encoded,
    ...encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** As in the query of a URL or a form, with a plus for a blank. */
const formEncoded = (value: string): string => new URLSearchParams({ "": value }).toString().slice(1);

/** The part of a base64 text that depends only on the value, after this many other bytes (modulo 3). */
function base64Inside(value: string, before: number): string {
  const text = new TextEncoder().encode(`${"\0".repeat(before)}${value}`).toBase64();
  const whole = text.replace(/=+$/, "");
  return whole.slice(before === 0 ? 0 : before + 1, whole.length === text.length ? undefined : -1);
}

/** A secret text, and the name that replaces it. */
interface SecretValue {
  readonly name: string;
  readonly value: string;
}

/** The shortest secret in characters; a shorter value occurs in too many harmless texts. */
const MIN_LENGTH = 8;

/** Values that are not secret even if the name of their variable looks secret. */
const WORDS: ReadonlySet<string> = new Set(
  "changeme default development disabled enabled localhost optional password production required undefined".split(" "),
);

function secretValues(environment: Environment, more: readonly string[]): readonly SecretValue[] {
  const values = [
    ...secretVariables(environment).flatMap(([name, value]) => secretsIn(name, value.trim())),
    ...more.map((value) => ({ name: "api_key", value: value.trim() })),
  ].filter(isSecret);
  return [...new Map(values.toReversed().map((secret) => [secret.value, secret])).values()];
}

/** The value itself, and its parts: the keys in a JSON text or a connection string, the password in a URL. */
function secretsIn(name: string, value: string): readonly SecretValue[] {
  const safeName = name.replace(/[^\w.-]/g, "_").slice(0, 80);
  const keys = value.startsWith("{") ? keysIn(jsonValue(value)) : keysOfPairs(value);
  const passwords = value.includes("://") ? passwordsIn(value) : [];
  return [value, ...keys, ...passwords].map((one) => ({ name: safeName, value: one }));
}

function keysIn(value: unknown): readonly string[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "string" && looksSecret(name, inner) ? [inner] : keysIn(inner),
  );
}

/** The keys in `Server=db;Password=abc`, and in `api-key=abc,team=x`. */
function keysOfPairs(value: string): readonly string[] {
  const pairs = value.matchAll(/(?<=^|[;,])\s*([\w .-]{1,80}?)\s*=\s*([^;,]*)/g);
  return [...pairs].flatMap(([, name = "", inner = ""]) => (looksSecret(name, inner) ? [inner.trim()] : []));
}

function passwordsIn(value: string): readonly string[] {
  const password = URL.parse(value)?.password ?? "";
  return password === "" ? [] : [password, attempt(() => decodeURIComponent(password)) ?? password];
}

const isSecret = ({ name, value }: SecretValue): boolean =>
  value.length >= MIN_LENGTH &&
  !WORDS.has(value.toLowerCase()) &&
  !/^\d{1,11}$/.test(value) &&
  !value.split(/(?<!^[A-Za-z]):(?=[~./])/).every(isPath) &&
  (namesWebhook(name) || !isAddress(value));

/** A path on this machine. */
const isPath = (value: string): boolean =>
  /^(?:~|\.{0,2}|[A-Za-z]:)[\\/][\w.@ -]+(?:[\\/][\w.@ -]+)*[\\/]?$/.test(value) && !looksRandom(value);

/** A URL without a password. */
const isAddress = (value: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^\s@?#]+$/i.test(value) && !looksRandom(value);

/** A base64 text may look like a path, and the path of a URL may be its key. */
const looksRandom = (value: string): boolean =>
  value
    .split(/[\\/]/)
    .some((part) => part.length >= 20 && /\d/.test(part) && /[A-Za-z]/.test(part) && !/[.@ ]/.test(part));

/** Whether a variable, or a member of a configuration, looks like a secret, by its name in any style or by its value. */
export const looksSecret = (name: string, value: string): boolean => isSecretName(name) || looksLikeKey(value);

/** The variables that look like secrets. */
const secretVariables = (environment: Environment): readonly (readonly [name: string, value: string])[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && looksSecret(name, value) ? [[name, value] as const] : [],
  );

/**
 * Whether a variable names a socket of a program that acts for the user, such as the SSH agent. The name is not secret, but gives
 * access to that program.
 */
export const namesSocket = (name: string): boolean => /_(?:SOCK|SOCKET|BUS_ADDRESS)_$/.test(wordsOf(name));

/** Whether a name marks an address that is itself a key: anyone who knows it can post to it. */
const namesWebhook = (name: string): boolean => /WEBHOOKS?_/.test(wordsOf(name));

/** A name in capitals with "_" around each word: `_NPM_CONFIG_AUTH_TOKEN_` for `npm_config__authToken`. */
function wordsOf(name: string): string {
  const words = name.replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$&_").split(/[^A-Za-z\d]+/);
  // Digits belong to a word, as in `OAUTH2` or `KEY_1`.
  return `_${words
    .map((word) => word.toUpperCase().replace(/\d+$/, ""))
    .filter((word) => word !== "")
    .join("_")}_`;
}

/** Shells keep folders and desktops keep names in these; Windows Terminal an id. */
const NO_SECRETS: ReadonlySet<string> = new Set(["PWD", "OLDPWD", "DESKTOP_SESSION", "KDE_FULL_SESSION", "WT_SESSION"]);

/** Words that mark a secret in any name. */
const SECRET_WORDS = new RegExp(
  `_(?:${[
    "KEYS?|PWD|PW|PASS|PASSCODE|PAT|CREDS?|COOKIES?|DSN|JWT|BEARER|KUBE_?CONFIG|LLM_PROVIDER_CONFIG",
    // Also as the end of a longer word, as in `PGPASSWORD`.
    "[A-Z\\d]*(?:PASSWORDS?|PASSWD|PASSPHRASES?|SECRETS?|TOKENS?|CREDENTIALS?|WEBHOOKS?|APIKEYS?)",
    "[A-Z\\d]*(?:ACCESS|AUTH|ENCRYPTION|MASTER|PRIVATE|SECRET|SIGNING)KEYS?",
    "CONN(?:ECTION)?_?STR(?:ING)?S?",
    "OP_SESSION_[A-Z\\d_]+",
  ].join("|")})_`,
);

/** Words that mark a secret unless the name ends with a word that describes one. `AUTHOR` and `AUTHORITY` are not among them. */
const DOUBTFUL_WORDS =
  /_(?:O?AUTH(?!OR(?!I[SZ]ATION))[A-Z\d]*|[A-Z\d]+AUTH|PRIVATE|SIGNING|HEADERS)_|_(?:SESSION|SESSIONID|[A-Z\d]*SESSID)_$/;
const DESCRIPTION =
  /_(?:SOCK|SOCKET|TYPE|MODE|METHOD|PROVIDER|ENABLED|DISABLED|REQUIRED|HOST|PORT|DOMAIN|REALM|ISSUER|SCOPES?|TIMEOUT|ALGORITHM|VERSION|NETWORK|IP)_$/;

function isSecretName(name: string): boolean {
  if (NO_SECRETS.has(name)) return false;
  const words = wordsOf(name);
  return SECRET_WORDS.test(words) || (DOUBTFUL_WORDS.test(words) && !DESCRIPTION.test(words));
}

/** A URL with a password, or the key prefix of a known service, at any length. */
const SECRET_VALUE =
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@|^(sk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abp]-|AKIA)/i;

const looksLikeKey = (value: string): boolean =>
  SECRET_VALUE.test(value) ||
  (KEY_SIGNS.test(value) && KEY_SHAPES.some(({ pattern }) => new RegExp(pattern).test(value)));
