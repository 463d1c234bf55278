/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables, in capitals, that most programs need. */
const NEEDED: ReadonlySet<string> = new Set([
  ..."PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TERM".split(" "),
  ..."SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS HTTP_PROXY HTTPS_PROXY NO_PROXY".split(" "),
]);

/** Whether most programs need the variable. Its value may still contain a secret, such as a proxy's password. */
export const isNeededVariable = (name: string): boolean => NEEDED.has(name.toUpperCase()) || name.startsWith("LC_");
