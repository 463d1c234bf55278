import type { Environment } from "../tools/shell-environment.ts";

/** Variables that programs need to find their way, and that hold no secret. */
const NEEDED =
  "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TERM SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS";

/** The variables of a tool host process: the few that programs need, and those that the tool names. */
export function hostEnvironment(environment: Environment, named: readonly string[]): Record<string, string> {
  const passes = new Set([...NEEDED.split(" "), ...named]);
  const passed = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && (passes.has(name) || name.startsWith("LC_")) ? [[name, value]] : [],
  );
  // A memory bomb makes the process crash, which is nothing to report to anybody.
  return { ...Object.fromEntries(passed), BUN_ENABLE_CRASH_REPORTING: "0" };
}
