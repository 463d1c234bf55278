import { closeSync, constants, fstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { openLineFile } from "../files/line-file.ts";
import { readLines } from "../files/read-file.ts";
import { jsonValue } from "../json-value.ts";
import { isRecord } from "../record.ts";
import type { ToolTouch } from "../types/permission.ts";

/** How long an approval holds: for its call, for its session, or until the user revokes it. */
type ApprovalScope = "once" | "session" | "always";

/** An approval of the user: a line of the file. */
export interface Approval {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Unique for each incarnation of a session; absent in old lines, whose approvals hold for no session. */
  readonly sessionKey?: string;
  /** The author's name. */
  readonly tool: string;
  /** The hash of its code; absent for a builtin. */
  readonly codeHash?: string;
  /** What is allowed, for people. */
  readonly pattern: string;
  readonly touch: ToolTouch;
  /** A hash of the call: its id, its tool and its arguments. */
  readonly call: string;
  readonly scope: ApprovalScope;
}

/** The approvals of an agent, one to a line. Lines that other processes add are seen. */
export class ApprovalsFile {
  readonly #path: string;
  #reading: { readonly version: string; readonly approvals: readonly Approval[] } = { version: "", approvals: [] };

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * All approvals, the oldest first; none without a file. Skips a line that is torn or no approval. Throws
   * `ForeignApprovalsError`, or the error of the file system.
   */
  read(): readonly Approval[] {
    const descriptor = opened(this.#path);
    if (descriptor === undefined) return [];
    try {
      const version = ownVersion(this.#path, descriptor);
      if (version !== this.#reading.version) this.#reading = { version, approvals: approvalsIn(descriptor) };
      return this.#reading.approvals;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Resolves when the approval is on disk. Rejects as `read` throws. */
  async add(approval: Approval): Promise<void> {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = openLineFile<Approval>(this.#path, {
      serialize: (line) => JSON.stringify(line),
      check: (descriptor) => void ownVersion(this.#path, descriptor),
    });
    try {
      file.append(approval);
      await file.sync();
    } finally {
      file.close();
    }
  }
}

/** Others could have written the file of approvals. */
class ForeignApprovalsError extends Error {
  override readonly name = "ForeignApprovalsError";
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    if (errorCode(error) === "ELOOP") throw new ForeignApprovalsError(`${path} is a symbolic link`, { cause: error });
    throw error;
  }
}

/** A text that changes with the content of the file. Throws if others may have written it. */
function ownVersion(path: string, descriptor: number): string {
  const stats = fstatSync(descriptor);
  const { uid, mode, size, mtimeMs, ino } = stats;
  if (!stats.isFile()) throw new ForeignApprovalsError(`${path} is not a regular file`);
  if (process.getuid && uid !== process.getuid()) throw new ForeignApprovalsError(`${path} belongs to another user`);
  if (process.getuid && (mode & 0o022) !== 0) throw new ForeignApprovalsError(`${path} can be written by others`);
  return [ino, size, mtimeMs].join(":");
}

function approvalsIn(descriptor: number): readonly Approval[] {
  const approvals: Approval[] = [];
  readLines(descriptor, (line) => {
    const value = jsonValue(line);
    if (isApproval(value)) approvals.push(value);
  });
  return approvals;
}

function isApproval(value: unknown): value is Approval {
  if (!isRecord(value)) return false;
  const { id, at, sessionKey, tool, codeHash, pattern, touch, call, scope } = value;
  const texts = [id, tool, pattern, call, sessionKey ?? "", codeHash ?? ""];
  const isOfScope = scope === "once" || scope === "session" || scope === "always";
  return texts.every((text) => typeof text === "string") && typeof at === "number" && isTouch(touch) && isOfScope;
}

function isTouch(value: unknown): value is ToolTouch {
  if (!isRecord(value)) return false;
  const { kind, path, command } = value;
  if (kind === "read" || kind === "write") return typeof path === "string";
  return kind === "command" ? typeof command === "string" : kind === "call";
}
