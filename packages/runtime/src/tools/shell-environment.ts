import type { Environment } from "@mdx-ai/models";
import { looksSecret, namesSocket } from "../redaction/looks-secret.ts";

/**
 * The user's variables without those that look like secrets, since a model can read everything that a shell can, and without those that
 * name a socket. Outside a sandbox the agent of SSH stays: git needs it there, and the user was asked.
 */
export function shellEnvironment(environment: Environment, isContained: boolean): Record<string, string> {
  const isWithheld = (name: string, value: string): boolean =>
    looksSecret(name, value) || (namesSocket(name) && (isContained || name !== "SSH_AUTH_SOCK"));
  const shown = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined || isWithheld(name, value) ? [] : [[name, value]],
  );
  return Object.fromEntries(shown);
}
