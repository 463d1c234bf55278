import type { Environment } from "@mdx-ai/models";
import { looksSecret } from "../redaction/looks-secret.ts";

/** Variables, in capitals, that most programs need. */
const NEEDED: ReadonlySet<string> = new Set([
  ..."PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TERM".split(" "),
  ..."SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS HTTP_PROXY HTTPS_PROXY NO_PROXY".split(" "),
]);

const RUNTIME_SETTINGS = {
  // A tool that uses up its memory makes the process crash: that is no bug to report.
  BUN_ENABLE_CRASH_REPORTING: "0",
  // By default the compiler reserves a gigabyte. The memory limit refuses that, and all code would be interpreted, some
  // twenty times slower.
  BUN_JSC_jitMemoryReservationSize: "67108864",
} as const;

/**
 * The variables of a tool host process: the few that most programs need, unless they contain a secret (such as a proxy's
 * password), and those that the tool names.
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
