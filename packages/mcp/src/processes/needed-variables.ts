import type { Environment } from "@mdx-ai/base";

/** Variables, in capitals, that most programs need. */
const NEEDED: ReadonlySet<string> = new Set([
  ..."PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TERM".split(" "),
  ..."SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS HTTP_PROXY HTTPS_PROXY NO_PROXY".split(" "),
]);

/** Whether most programs need the variable. Its value may still contain a secret, such as a proxy's password. */
export const isNeededVariable = (name: string): boolean => NEEDED.has(name.toUpperCase()) || name.startsWith("LC_");

/** A URL with a password. */
const WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

/** The environment of a server's process: the variables that most programs need, without passwords, and the server's `env`. */
export function serverEnvironment(
  environment: Environment,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && isNeededVariable(name) && !WITH_PASSWORD.test(value) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(passed), ...own };
}
