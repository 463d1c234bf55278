import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { openLineFile } from "../files/line-file.ts";
import { readLines } from "../files/read-lines.ts";
import { type Approval, isApproval } from "./approval.ts";

/** The file of approvals is one that others could have written. */
class ForeignApprovalsError extends Error {
  override readonly name = "ForeignApprovalsError";
}

/** What was read of a file, and what it was then. */
interface Reading {
  readonly version: string;
  readonly approvals: readonly Approval[];
}

/** The approvals of an agent, one to a line; what other processes add meanwhile is seen. */
export class ApprovalsFile {
  readonly #path: string;
  #reading: Reading = { version: "", approvals: [] };

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * All approvals, the oldest first; none where there is no file. A line that is torn or no approval is passed over.
   * Throws `ForeignApprovalsError`, or what the file system says.
   */
  read(): readonly Approval[] {
    const descriptor = opened(this.#path);
    if (descriptor === undefined) return [];
    try {
      const version = ownVersion(this.#path, descriptor);
      if (version !== this.#reading.version) this.#reading = { version, approvals: approvalsOf(descriptor) };
      return this.#reading.approvals;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Resolves when the approval is on disk. Rejects as `read` throws. */
  async add(approval: Approval): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
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

function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    if (errorCode(error) === "ELOOP") throw new ForeignApprovalsError(`${path} is a symbolic link`, { cause: error });
    throw error;
  }
}

/** Tells what stands in the file from what stood there before. Throws where others may have written it. */
function ownVersion(path: string, descriptor: number): string {
  const stats = fstatSync(descriptor);
  const { uid, mode, size, mtimeMs, ino } = stats;
  if (!stats.isFile()) throw new ForeignApprovalsError(`${path} is no regular file`);
  if (process.getuid && uid !== process.getuid()) throw new ForeignApprovalsError(`${path} belongs to another user`);
  if (process.getuid && (mode & 0o022) !== 0) throw new ForeignApprovalsError(`${path} can be written by others`);
  return [ino, size, mtimeMs].join(":");
}

function approvalsOf(descriptor: number): readonly Approval[] {
  const approvals: Approval[] = [];
  readLines(descriptor, (line) => {
    const value = parsed(line);
    if (isApproval(value)) approvals.push(value);
  });
  return approvals;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
