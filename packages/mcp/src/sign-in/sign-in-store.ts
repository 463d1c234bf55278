import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failureText, isRecord } from "@mdx-ai/base";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";

/** What is kept of sign-ins to one server. */
export interface StoredSignIn {
  /** The address of the server. */
  readonly url: string;
  /** The registrations of this client by the issuer that made them. */
  readonly clients: Readonly<Record<string, StoredOAuthClientInformation>>;
  readonly tokens: Readonly<Record<string, StoredOAuthTokens>>;
  /** The issuer of the tokens that were stored last. */
  readonly latest?: string;
  /** The port of the address that the registrations name. */
  readonly port?: number;
}

/**
 * Keeps tokens of a server in a file that its owner alone can read and that is replaced as a whole. What another process has written counts.
 * Without a folder, or if the disk refuses, it keeps them while this process runs.
 */
export class SignInStore {
  readonly #url: string;
  readonly #folder: string | undefined;
  readonly #onWarning: (message: string) => void;
  #own: StoredSignIn;

  constructor(url: string, folder: string | undefined, onWarning: (message: string) => void) {
    this.#url = url;
    this.#folder = folder;
    this.#onWarning = onWarning;
    this.#own = { url, clients: {}, tokens: {} };
  }

  /** What is stored. Never throws. */
  read(): StoredSignIn {
    const stored = this.#folder === undefined ? undefined : readStored(fileOf(this.#folder, this.#url), this.#url);
    return stored ?? this.#own;
  }

  /** Replaces what is stored. Never throws. */
  write(change: Partial<StoredSignIn>): void {
    this.#own = { ...this.read(), ...change };
    if (this.#folder === undefined) return;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      replaceFile(fileOf(this.#folder, this.#url), `${JSON.stringify(this.#own, undefined, 2)}\n`);
    } catch (error) {
      this.#onWarning(`needs a sign-in that cannot be kept: ${failureText(error)}`);
    }
  }
}

/** The length of a name that no two servers share. */
const NAME_LENGTH = 32;

const fileOf = (folder: string, url: string): string =>
  join(folder, `${createHash("sha256").update(url).digest("hex").slice(0, NAME_LENGTH)}.json`);

function readStored(file: string, url: string): StoredSignIn | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isStored(stored) && stored.url === url ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it is what `write` wrote: nobody else may write to the folder. */
const isStored = (value: unknown): value is StoredSignIn =>
  isRecord(value) && typeof value["url"] === "string" && isRecord(value["clients"]) && isRecord(value["tokens"]);

function replaceFile(file: string, text: string): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
