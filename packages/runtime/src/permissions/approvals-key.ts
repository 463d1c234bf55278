import { join } from "node:path";
import { attempt } from "../attempt.ts";
import { makeSecret, readSecret } from "../files/own-secret.ts";

/** Seals a text: the same text gives the same hash, and without the key nobody can guess the text. */
export type Seal = (text: string) => string;

/** The file in the folder of approvals that holds the user's key. */
const keyFile = (directory: string): string => join(directory, "key");

/** The seal of a folder of approvals; undefined if it has no key yet that is the user's alone. Never throws. */
export function readSeal(directory: string): Seal | undefined {
  const key = attempt(() => readSecret(keyFile(directory)));
  return key === undefined ? undefined : sealWith(key);
}

/** The same with a new key, which is on disk: older seals match nothing. Throws as `makeSecret` does. */
export const makeSeal = (directory: string): Seal => sealWith(makeSecret(keyFile(directory)));

const sealWith =
  (key: string): Seal =>
  (text) =>
    new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
