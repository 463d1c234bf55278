import type { Environment } from "@mdx-ai/models";
import { looksSecret } from "../redaction/secret-pattern.ts";

/** The user's variables without those that look like secrets by name or value: a model can read what a shell can. */
export function shellEnvironment(environment: Environment): Record<string, string> {
  const shown = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined || looksSecret(name, value) ? [] : [[name, value]],
  );
  return Object.fromEntries(shown);
}
