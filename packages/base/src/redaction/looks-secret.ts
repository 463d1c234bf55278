import type { Environment } from "../paths/environment.ts";
import { KEY_SHAPES, KEY_SIGNS } from "./key-shapes.ts";

/** Whether a variable, or a member of a configuration, looks like a secret, by its name in any style or by its value. */
export const looksSecret = (name: string, value: string): boolean => isSecretName(name) || looksLikeKey(value);

/** The variables that look like secrets. */
export const secretVariables = (environment: Environment): readonly (readonly [name: string, value: string])[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && looksSecret(name, value) ? [[name, value] as const] : [],
  );

/**
 * Whether a variable names a socket of a program that acts for the user, such as the SSH agent. The name is not secret, but gives
 * access to that program.
 */
export const namesSocket = (name: string): boolean => /_(?:SOCK|SOCKET|BUS_ADDRESS)_$/.test(wordsOf(name));

/** Whether a name marks an address that is itself a key: anyone who knows it can post to it. */
export const namesWebhook = (name: string): boolean => /WEBHOOKS?_/.test(wordsOf(name));

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
