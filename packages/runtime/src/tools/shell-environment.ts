import type { Environment } from "@mdx-ai/models";
import { looksSecret } from "../redaction/looks-secret.ts";

/** The user's variables without those that look like secrets by name or value: a model can read what a shell can. */
export function shellEnvironment(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || looksSecret(name, value) ? [] : [[name, value]],
    ),
  );
}
