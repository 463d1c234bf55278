import { type Environment, isNeededVariable } from "@mdx-ai/base";

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
