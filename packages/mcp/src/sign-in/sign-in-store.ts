import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failureText, isRecord } from "@mdx-ai/base";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";

/** The stored sign-ins of one server. */
export interface StoredSignIn {
  /** The address of the server. */
  readonly url: string;
  /** Registrations of this client, by issuer. */
  readonly clients: Readonly<Record<string, StoredOAuthClientInformation>>;
  readonly tokens: Readonly<Record<string, StoredOAuthTokens>>;
  /** The issuer of the newest tokens. */
  readonly latest?: string;
  /** The port of the registered redirect address. */
  readonly port?: number;
}

/**
 * Stores the tokens of a server in a file with mode 600, which is replaced atomically and re-read before use. Without a folder, or if
 * writing fails, keeps them in memory.
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

  /** Never throws. */
  read(): StoredSignIn {
    const stored = this.#folder === undefined ? undefined : readStored(fileOf(this.#folder, this.#url), this.#url);
    return stored ?? this.#own;
  }

  /** Updates the stored values. Never throws. */
  write(change: Partial<StoredSignIn>): void {
    this.#own = { ...this.read(), ...change };
    if (this.#folder === undefined) return;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      replaceFile(fileOf(this.#folder, this.#url), `${JSON.stringify(this.#own, undefined, 2)}\n`);
    } catch (error) {
      this.#onWarning(`needs a sign-in that cannot be stored: ${failureText(error)}`);
    }
  }
}

/** Long enough that no two servers share a name. */
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

/** Trusts that `write` wrote the value, since no one else can write to the folder. */
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
