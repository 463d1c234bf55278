import { mkdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "@mdx-ai/parser/record";
import { attempt } from "../attempt.ts";
import { errorCode } from "../files/error-code.ts";
import { openLineFile } from "../files/line-file.ts";
import { makeSecret, readSecret, requireOwn } from "../files/own-file.ts";
import { readLines, readOwnFile } from "../files/read-file.ts";
import { replaceFileSync } from "../files/replace-file.ts";
import { jsonValue } from "../json-value.ts";
import type { SandboxAccess, ToolAccess } from "../types/permission.ts";
import { type Approval, type ApprovalTest, accessText, type CallMarks, withAccess } from "./approval.ts";

/**
 * The approvals of an agent, one to a line. Lines that other processes add are seen. A command may hold a key, so a line has
 * hashes of what was approved, sealed with a key of the user, and the redacted pattern for people.
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
   * The last approval that a test accepts; undefined without a file. Skips a line that is torn or no approval. Throws
   * `SharedFileError`, or as `readOwnFile` does.
   */
  findLast(marks: CallMarks, test: ApprovalTest): Approval | undefined {
    const approvals = this.#read();
    // A line sealed with a lost key matches nothing.
    const seal = approvals.length === 0 ? undefined : readSeal(this.#path);
    if (seal === undefined) return undefined;
    const sealedMarks = sealed(marks, seal);
    return approvals.findLast((approval) => test(approval, sealedMarks));
  }

  /** Those that open the sandbox for a host or a path. Throws as `findLast` does. */
  openings(): readonly Approval[] {
    const approvals = this.#read().filter(({ opens }) => opens !== undefined);
    const seal = approvals.length === 0 ? undefined : readSeal(this.#path);
    // A line that was changed after sealing opens nothing.
    const isSealed = ({ access, opens }: Approval): boolean =>
      opens !== undefined && access === seal?.(accessText({ kind: "sandbox", wanted: opens }));
    return approvals.filter(isSealed);
  }

  /** Resolves when the approval is on disk. Rejects as `findLast` throws. */
  async add(approval: Approval): Promise<void> {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = openLineFile<Approval>(this.#path, {
      serialize: (line) => JSON.stringify(line),
      check: (_descriptor, stats) => void ownVersion(this.#path, stats),
    });
    try {
      file.append(this.#kept(approval));
      await file.sync();
    } finally {
      file.close();
    }
  }

  #read(): readonly Approval[] {
    try {
      return readOwnFile(this.#path, (descriptor, stats) => {
        const version = ownVersion(this.#path, stats);
        if (version !== this.#reading.version) this.#reading = { version, approvals: this.#approvalsIn(descriptor) };
        return this.#reading.approvals;
      });
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    }
  }

  /** A file of an earlier version, which has commands as they are, is replaced at once. */
  #approvalsIn(descriptor: number): readonly Approval[] {
    const lines: (Approval | OpenApproval)[] = [];
    readLines(descriptor, (line) => {
      const value = jsonValue(line);
      if (isApproval(value) || isOpenApproval(value)) lines.push(value);
    });
    const approvals = lines.map((line) => ("touch" in line ? this.#kept(currentApproval(line)) : line));
    if (lines.some((line) => "touch" in line)) {
      replaceFileSync({ path: this.#path, text: approvals.map((approval) => `${JSON.stringify(approval)}\n`) });
    }
    return approvals;
  }

  /** The line as it is written. */
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
  call: seal(marks.call),
});

/** A text that changes with the content of the file. Throws `SharedFileError` if others may have written it. */
function ownVersion(path: string, stats: Stats): string {
  const { size, mtimeMs, ino } = stats;
  requireOwn(path, stats);
  return [ino, size, mtimeMs].join(":");
}

/** A line of an earlier version, with the command or the path as it is, and under its former name. */
interface OpenApproval extends Omit<Approval, "access"> {
  readonly touch: ToolAccess;
}

const currentApproval = ({ touch: access, ...approval }: OpenApproval): Approval => withAccess({ ...approval, access });

const isApproval = (value: unknown): value is Approval =>
  hasCommonParts(value) &&
  typeof value["access"] === "string" &&
  (value["opens"] === undefined || isSandboxAccess(value["opens"]));

function isSandboxAccess(value: unknown): value is SandboxAccess {
  if (!isRecord(value)) return false;
  const { kind, host, path, name } = value;
  if (kind === "host") return typeof host === "string";
  if (kind === "read" && name !== undefined && typeof name !== "string") return false;
  return (kind === "read" || kind === "write") && typeof path === "string";
}

const isOpenApproval = (value: unknown): value is OpenApproval => hasCommonParts(value) && isToolAccess(value["touch"]);

function hasCommonParts(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const { id, at, sessionKey, tool, codeHash, unheld, pattern, call, scope } = value;
  const texts = [id, tool, pattern, call, sessionKey ?? "", codeHash ?? "", unheld ?? ""];
  const isOfScope = scope === "once" || scope === "session" || scope === "always";
  return texts.every((text) => typeof text === "string") && typeof at === "number" && isOfScope;
}

function isToolAccess(value: unknown): value is ToolAccess {
  if (!isRecord(value)) return false;
  const { kind, path, command } = value;
  if (kind === "read" || kind === "write") return typeof path === "string";
  return kind === "command" ? typeof command === "string" : kind === "call";
}

/** Seals a text: the same text gives the same hash, and without the key nobody can guess the text. */
type Seal = (text: string) => string;

/** The file beside the approvals that holds the user's key. */
const keyFile = (approvals: string): string => join(dirname(approvals), "key");

/** The seal of a file of approvals; undefined if it has no key yet that is the user's alone. Never throws. */
function readSeal(approvals: string): Seal | undefined {
  const key = attempt(() => readSecret(keyFile(approvals)));
  return key === undefined ? undefined : sealWith(key);
}

const sealWith =
  (key: string): Seal =>
  (text) =>
    new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
