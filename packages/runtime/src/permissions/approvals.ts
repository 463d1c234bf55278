import { mkdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, failureText } from "../files/error-code.ts";
import { openLineFile } from "../files/line-file.ts";
import { readLines, readOwnFile } from "../files/read-file.ts";
import { isWithin, realPlace } from "../files/real-place.ts";
import { jsonValue } from "../json-value.ts";
import { isRecord } from "../record.ts";
import type { AskedAccess, SandboxAccess, SandboxOpening } from "../types/permission.ts";

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
  readonly touch: AskedAccess;
  /** A hash of the call: its id, its tool and its arguments. */
  readonly call: string;
  readonly scope: ApprovalScope;
}

/** A call that approvals are compared with. */
export interface ApprovedCall extends Omit<Approval, "id" | "at" | "pattern" | "scope"> {
  readonly sessionKey: string;
}

export interface ApprovalsOptions {
  /** Absolute and real. */
  readonly agentDir: string;
  /** Absolute; without it approvals last as long as this object. */
  readonly directory: string | undefined;
  readonly onWarning: (message: string) => void;
}

/** The user's approvals for the tools of an agent: those of this process, and earlier ones that were kept. */
export class Approvals {
  readonly #given: Approval[] = [];
  readonly #file: ApprovalsFile | undefined;
  readonly #onWarning: (message: string) => void;
  #warned = "";

  constructor({ agentDir, directory, onWarning }: ApprovalsOptions) {
    this.#onWarning = onWarning;
    this.#file = directory === undefined ? undefined : approvalsFile(agentDir, directory, onWarning);
  }

  /** An approval for the session or for always that allows a call without a question. */
  covering(call: ApprovedCall): Approval | undefined {
    return this.#all().findLast((approval) => approval.scope !== "once" && covers(approval, call));
  }

  /** What the user opened of the sandbox for more than one call of a tool. */
  openings(tool: string, sessionKey: string): readonly SandboxOpening[] {
    // Those of this process are in the file, too.
    const all = new Map(this.#all().map((approval) => [approval.id, approval])).values();
    return [...all].flatMap(({ tool: approved, touch, scope, sessionKey: key }) => {
      const holds = approved === tool && (scope === "always" || (scope === "session" && key === sessionKey));
      return holds && touch.kind === "sandbox" ? [{ access: touch.access, lasts: scope }] : [];
    });
  }

  confirms(id: string, call: ApprovedCall): boolean {
    return this.#all().some((approval) => approval.id === id && covers(approval, call));
  }

  /** Whether a call would be allowed, had the code of its tool not changed. */
  isOutdatedFor(call: ApprovedCall): boolean {
    const { codeHash } = call;
    const isOutdated = (approval: Approval): boolean =>
      approval.scope !== "once" && approval.codeHash !== codeHash && coversOtherCode(approval, call);
    return codeHash !== undefined && this.#all().some(isOutdated);
  }

  /** Resolves when it is on disk. If it cannot be written, it holds for this process, and the user is warned. */
  async add(approval: Approval): Promise<void> {
    this.#given.push(approval);
    await this.#file?.add(approval).catch((error: unknown) => {
      this.#onWarning(`the approval lasts for this process only: ${failureText(error)}`);
    });
  }

  #all(): readonly Approval[] {
    try {
      return [...(this.#file?.read() ?? []), ...this.#given];
    } catch (error) {
      this.#warnOnce(`earlier approvals do not count: ${failureText(error)}`);
      return this.#given;
    }
  }

  /** The file is read for each call that the user must approve. */
  #warnOnce(message: string): void {
    if (message !== this.#warned) this.#onWarning(message);
    this.#warned = message;
  }
}

const covers = (approval: Approval, call: ApprovedCall): boolean =>
  approval.codeHash === call.codeHash && coversOtherCode(approval, call);

/** Whether an approval allows a call, whatever the code of its tool. */
function coversOtherCode(approval: Approval, call: ApprovedCall): boolean {
  if (approval.tool !== call.tool || !Bun.deepEquals(approval.touch, call.touch, true)) return false;
  switch (approval.scope) {
    case "once":
      return approval.sessionKey === call.sessionKey && approval.call === call.call;
    case "session":
      return approval.sessionKey === call.sessionKey;
    case "always":
      return true;
  }
}

function approvalsFile(
  agentDir: string,
  directory: string,
  onWarning: (message: string) => void,
): ApprovalsFile | undefined {
  if (isWithin(agentDir, realPlace(directory))) {
    onWarning("approvals last for this process only: they would be kept in the agent directory, where tools can write");
    return undefined;
  }
  const name = new Bun.CryptoHasher("sha256").update(agentDir).digest("hex");
  return new ApprovalsFile(join(directory, `${name}.jsonl`));
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
   * `ForeignApprovalsError`, or as `readOwnFile` does.
   */
  read(): readonly Approval[] {
    try {
      return readOwnFile(this.#path, (descriptor, stats) => {
        const version = ownVersion(this.#path, stats);
        if (version !== this.#reading.version) this.#reading = { version, approvals: approvalsIn(descriptor) };
        return this.#reading.approvals;
      });
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    }
  }

  /** Resolves when the approval is on disk. Rejects as `read` throws. */
  async add(approval: Approval): Promise<void> {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = openLineFile<Approval>(this.#path, {
      serialize: (line) => JSON.stringify(line),
      check: (_descriptor, stats) => void ownVersion(this.#path, stats),
    });
    try {
      file.append(approval);
      await file.sync();
    } finally {
      file.close();
    }
  }
}

class ForeignApprovalsError extends Error {
  override readonly name = "ForeignApprovalsError";
}

/** A text that changes with the content of the file. Throws if others may have written it. */
function ownVersion(path: string, stats: Stats): string {
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

function isTouch(value: unknown): value is AskedAccess {
  if (!isRecord(value)) return false;
  const { kind, path, command, access } = value;
  if (kind === "sandbox") return isSandboxAccess(access);
  if (kind === "read" || kind === "write") return typeof path === "string";
  return kind === "command" ? typeof command === "string" : kind === "call";
}

function isSandboxAccess(value: unknown): value is SandboxAccess {
  if (!isRecord(value)) return false;
  const { kind, host, path, command } = value;
  if (kind === "host") return typeof host === "string";
  return kind === "write" ? typeof path === "string" : kind === "outside" && typeof command === "string";
}
