import type { Environment } from "@mdx-ai/models";

/** Words between the underscores of a name that mark a secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  "KEY KEYS APIKEY TOKEN TOKENS SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSPHRASE PWD PASS PAT CREDENTIAL CREDENTIALS COOKIE".split(
    " ",
  ),
);
const SECRET_END = /(PASSWORD|PASSWD|SECRET|TOKEN|APIKEY|CREDENTIALS)$/;
/** Names without a telling word: where the shell stands is none, the configuration of a provider holds its key. */
const NO_SECRETS: ReadonlySet<string> = new Set(["PWD", "OLDPWD"]);
const MORE_SECRETS: ReadonlySet<string> = new Set(["LLM_PROVIDER_CONFIG"]);
/** A URL with a password, or what the keys of known services begin with. */
const SECRET_VALUE =
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@|^(sk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abp]-|AKIA)/i;

/** The user's variables without those that look like secrets by name or value: a model can read what a shell can. */
export function shellEnvironment(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || looksSecret(name, value) ? [] : [[name, value]],
    ),
  );
}

/** Whether a variable looks like a secret, by its name or by its value. */
export function looksSecret(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (NO_SECRETS.has(upper)) return false;
  if (MORE_SECRETS.has(upper) || SECRET_END.test(upper) || SECRET_VALUE.test(value)) return true;
  return upper.split(/[^A-Z0-9]+/).some((word) => SECRET_WORDS.has(word));
}
