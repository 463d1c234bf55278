import { defined, type Environment } from "@mdx-ai/base";
import type { CredentialDefinition, CredentialSettings } from "@mdx-ai/parser";
import type { CredentialGrant } from "@mdx-ai/runtime";
import { KeyMissingError, type KeySource, readStoredKey } from "./stored-key.ts";

/** The keys that the user's settings grant. Each is read when it is first needed; one from a variable, each time. */
export const userCredentials = (settings: CredentialSettings, source: KeySource): readonly CredentialGrant[] =>
  Object.entries(settings).map(([host, credential]) => {
    const { env, header = "Authorization", agents, command, keyring } = credential;
    const isStored = command !== undefined || keyring !== undefined;
    let stored: Promise<string> | undefined;
    const read = async (): Promise<string> => {
      if (!isStored) return variable(env, source.environment);
      const reading = stored ?? readStoredKey(credential, source);
      stored = reading;
      // The next request tries again.
      reading.catch(() => {
        stored = undefined;
      });
      return reading;
    };
    return {
      ...{ host, variable: env, header },
      ...defined({ agents }),
      read: async () => {
        const key = checkedKey(await read());
        return { key, value: headerValue(credential, key) };
      },
    };
  });

function variable(name: string, environment: Environment): string {
  const value = environment[name] ?? "";
  if (value.trim() === "") throw new KeyMissingError(`the variable ${name} is not set`);
  return value;
}

/** The shortest key; a shorter text would be found in too many answers. */
const MIN_LENGTH = 8;

function checkedKey(text: string): string {
  const key = text.trim();
  if (key.length < MIN_LENGTH) throw new KeyMissingError(`it is shorter than ${MIN_LENGTH} characters`);
  if (!/^[\x20-\x7e]+$/.test(key)) throw new KeyMissingError("it has characters that no header can hold");
  return key;
}

function headerValue({ header = "Authorization", format, user }: CredentialDefinition, key: string): string {
  if (user !== undefined) return `Basic ${btoa(`${user}:${key}`)}`;
  const usual = header.toLowerCase() === "authorization" ? "Bearer {}" : "{}";
  return (format ?? usual).replaceAll("{}", () => key);
}
