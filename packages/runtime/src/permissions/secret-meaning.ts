import { attempt } from "../attempt.ts";
import { readBytes, readOpened } from "../files/read-file.ts";
import type { CallPlaces } from "./permissions.ts";
import { secretKindOf } from "./secret-places.ts";

/** What the beginning of a private key looks like: PEM and OpenSSH, PuTTY, age. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY|^PuTTY-User-Key-File-|^AGE-SECRET-KEY-/m;

/** Bytes that are searched for it. */
const HEAD = 4_096;

/** The meaning of files in places of secrets, by their paths. */
const MEANINGS: readonly (readonly [path: RegExp, meaning: string])[] = [
  [/history$|\.lesshst$|\.viminfo$/, "what you typed in other programs, which may hold passwords"],
  [
    /chrom|brave|microsoft-edge|mozilla|thunderbird|firefox|safari|cookies/i,
    "data of a browser or a mail program, such as cookies and passwords",
  ],
];

/**
 * What a real path gives away, for a question about it, such as "a private key"; undefined if it is not known to be a secret.
 * Never throws.
 */
export function secretMeaning(path: string, places: CallPlaces): string | undefined {
  if (isPrivateKey(path)) return "a private key";
  switch (secretKindOf(path, places)) {
    case "variables":
      return "a file of variables, which may hold keys";
    case "secrets":
      return MEANINGS.find(([pattern]) => pattern.test(path))?.[1] ?? "it may hold passwords, tokens or keys";
    default:
      return undefined;
  }
}

const isPrivateKey = (path: string): boolean =>
  attempt(() => readOpened(path, (file) => PRIVATE_KEY.test(readBytes(file, 0, HEAD).toString("latin1")))) ?? false;
