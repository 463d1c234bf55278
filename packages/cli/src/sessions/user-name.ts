import type { Environment } from "@mdx-ai/base";

/** The user's name from the variables, else from the system; "unknown" without one. */
export function userOf(environment: Environment): string {
  const named = environment["USER"] || environment["LOGNAME"] || environment["USERNAME"];
  if (named) return named;
  try {
    return process.getBuiltinModule("node:os").userInfo().username;
  } catch {
    return "unknown";
  }
}
