import type { Environment } from "@mdx-ai/models";
import { looksSecret } from "../redaction/looks-secret.ts";

/** Variables, in capitals, that programs need to find their way. */
const NEEDED: ReadonlySet<string> = new Set([
  ..."PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TERM".split(" "),
  ..."SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS HTTP_PROXY HTTPS_PROXY NO_PROXY".split(" "),
]);

const RUNTIME_SETTINGS = {
  // A memory bomb makes the process crash, which is nothing to report to anybody.
  BUN_ENABLE_CRASH_REPORTING: "0",
  // By default compiled code reserves a gigabyte; where the limit of memory refuses that, all code is interpreted, some
  // twenty times slower.
  BUN_JSC_jitMemoryReservationSize: "67108864",
} as const;

/**
 * The variables of a tool host process: the few that programs need, unless they hold a secret (a proxy's password), and
 * those that the tool names.
 */
export function hostEnvironment(environment: Environment, named: readonly string[]): Record<string, string> {
  const passed = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && (named.includes(name) || (isNeeded(name) && !looksSecret(name, value)))
      ? [[name, value]]
      : [],
  );
  return { ...Object.fromEntries(passed), ...RUNTIME_SETTINGS };
}

function isNeeded(name: string): boolean {
  return NEEDED.has(name.toUpperCase()) || name.startsWith("LC_");
}
