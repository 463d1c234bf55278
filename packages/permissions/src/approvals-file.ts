import { mkdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, errorCode, isRecord, jsonValue } from "@mdx-ai/base";
import {
  isNewer,
  makeSecret,
  NewerVersionError,
  openLineFile,
  readLines,
  readPrivateFile,
  readSecret,
  requireOwn,
} from "@mdx-ai/base/disk";
import type { SandboxAccess } from "@mdx-ai/loop";
import { type Approval, type ApprovalTest, accessText, type CallMarks } from "./approval.ts";

/** The version of the format, in each line. */
const APPROVALS_VERSION = 1;

/**
 * The approvals of an agent, one per line. Reads also what other processes append. A command may contain a key, so a line has
 * hashes of what was approved, made with a key of the user, and a redacted pattern for people.
 */
export class ApprovalsFile {
  readonly #path: string;
  readonly #redact: (text: string) => string;
  #reading: { readonly version: string; readonly approvals: readonly Approval[] } = { version: "", approvals: [] };

  constructor(path: string, redact: (text: string) => string) {
    this.#path = path;
    this.#redact = redact;
  }

  /**
   * The last approval that a test accepts; undefined without a file. Skips torn and invalid lines. Throws `SharedFileError`,
   * `NewerVersionError`, or as `readPrivateFile` does.
   */
  findLast(marks: CallMarks, test: ApprovalTest): Approval | undefined {
    const approvals = this.#read();
    // A line sealed with a lost key matches nothing.
    const seal = approvals.length === 0 ? undefined : readSeal(this.#path);
    if (seal === undefined) return undefined;
    const sealedMarks = sealed(marks, seal);
    return approvals.findLast((approval) => test(approval, sealedMarks));
  }

  /** The approvals that grant a host or a path to sandboxed commands. Throws as `findLast` does. */
  grants(): readonly Approval[] {
    const approvals = this.#read().filter(({ opens }) => opens !== undefined);
    const seal = approvals.length === 0 ? undefined : readSeal(this.#path);
    // A line that was edited later grants nothing.
    const isSealed = ({ access, opens }: Approval): boolean =>
      opens !== undefined && access === seal?.(accessText({ kind: "sandbox", wanted: opens }));
    return approvals.filter(isSealed);
  }

  /** Resolves when the approval is on disk. Rejects as `findLast` throws. */
  async add(approval: Approval): Promise<void> {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = openLineFile(this.#path, { check: (_descriptor, stats) => void ownVersion(this.#path, stats) });
    try {
      file.append(JSON.stringify({ v: APPROVALS_VERSION, ...this.#kept(approval) }));
      await file.sync();
    } finally {
      file.close();
    }
  }

  #read(): readonly Approval[] {
    try {
      return readPrivateFile(this.#path, (descriptor, stats) => {
        const version = ownVersion(this.#path, stats);
        if (version !== this.#reading.version)
          this.#reading = { version, approvals: approvalsIn(descriptor, this.#path) };
        return this.#reading.approvals;
      });
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    }
  }

  #kept(approval: Approval): Approval {
    // With a new key, older seals match nothing.
    const seal = readSeal(this.#path) ?? sealWith(makeSecret(keyFile(this.#path)));
    return { ...sealed(approval, seal), pattern: this.#redact(approval.pattern) };
  }
}

const sealed = <Marks extends CallMarks>(marks: Marks, seal: Seal): Marks => ({
  ...marks,
  access: seal(marks.access),
  ...(marks.prefix !== undefined && { prefix: seal(marks.prefix) }),
});

/** A text that changes with the content of the file. Throws `SharedFileError` if others may have written it. */
function ownVersion(path: string, stats: Stats): string {
  const { size, mtimeMs, ino } = stats;
  requireOwn(path, stats);
  return [ino, size, mtimeMs].join(":");
}

function approvalsIn(descriptor: number, path: string): readonly Approval[] {
  const approvals: Approval[] = [];
  readLines(descriptor, (line) => {
    const value = jsonValue(line);
    if (isRecord(value) && isNewer(value["v"], APPROVALS_VERSION)) throw new NewerVersionError(path);
    if (isApproval(value)) approvals.push(value);
  });
  return approvals;
}

function isApproval(value: unknown): value is Approval {
  if (!isRecord(value)) return false;
  const { v, id, at, sessionKey, tool, codeHash, unheld, access, pattern, scope, opens } = value;
  const texts = [id, sessionKey, tool, codeHash ?? "", unheld ?? "", access, pattern];
  const isOfScope = scope === "session" || scope === "always";
  const isWhole =
    v === APPROVALS_VERSION && texts.every((text) => typeof text === "string") && typeof at === "number" && isOfScope;
  return isWhole && (opens === undefined || isSandboxAccess(opens));
}

function isSandboxAccess(value: unknown): value is SandboxAccess {
  if (!isRecord(value)) return false;
  const { kind, host, path, name } = value;
  if (kind === "host") return typeof host === "string";
  if (kind === "read" && name !== undefined && typeof name !== "string") return false;
  return (kind === "read" || kind === "write") && typeof path === "string";
}

/** Hashes a text with the user's key: equal texts give equal hashes, and the text cannot be guessed without the key. */
type Seal = (text: string) => string;

/** The file beside the approvals that holds the user's key. */
const keyFile = (approvals: string): string => join(dirname(approvals), "key");

/** The hash function for a file of approvals; undefined if the file has no key yet that only the user can read. Never throws. */
function readSeal(approvals: string): Seal | undefined {
  const key = attempt(() => readSecret(keyFile(approvals)));
  return key === undefined ? undefined : sealWith(key);
}

const sealWith =
  (key: string): Seal =>
  (text) =>
    new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
