import { KEY_SHAPES, KEY_SIGNS } from "./key-shapes.ts";

/** Words between the underscores of a name that mark a secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  "KEY KEYS APIKEY TOKEN TOKENS SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSPHRASE PWD PASS PAT CREDENTIAL CREDENTIALS COOKIE".split(
    " ",
  ),
);
const SECRET_END = /(PASSWORD|PASSWD|SECRET|TOKEN|APIKEY|CREDENTIALS)$/;
/** Exceptions: the working directory of a shell is no secret, and the configuration of a provider holds its key. */
const NO_SECRETS: ReadonlySet<string> = new Set(["PWD", "OLDPWD"]);
const MORE_SECRETS: ReadonlySet<string> = new Set(["LLM_PROVIDER_CONFIG"]);
/** A URL with a password, or the prefix of a key of a known service, however short the value is. */
const SECRET_VALUE =
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@|^(sk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abp]-|AKIA)/i;
const KEY = new RegExp(KEY_SHAPES.map(({ pattern }) => pattern).join("|"));

/** Whether a variable looks like a secret, by its name or by its value. */
export function looksSecret(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (NO_SECRETS.has(upper)) return false;
  if (MORE_SECRETS.has(upper) || SECRET_END.test(upper)) return true;
  return upper.split(/[^A-Z0-9]+/).some((word) => SECRET_WORDS.has(word)) || holdsSecret(value);
}

const holdsSecret = (value: string): boolean => SECRET_VALUE.test(value) || (KEY_SIGNS.test(value) && KEY.test(value));
