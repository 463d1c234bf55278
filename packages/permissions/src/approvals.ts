import { join } from "node:path";
import { agentIdentity, failureText, isWithin, sha256, warnOfEachOnce } from "@mdx-ai/base";
import { resolveRealPath } from "@mdx-ai/base/disk";
import type { SandboxAccess, SandboxGrant } from "@mdx-ai/loop";
import {
  type Approval,
  type ApprovalTest,
  type ApprovedCall,
  covers,
  coversOtherCode,
  type GivenApproval,
  withAccess,
} from "./approval.ts";
import { ApprovalsFile } from "./approvals-file.ts";

export interface ApprovalsOptions {
  /** Absolute and real. */
  readonly agentDir: string;
  /** The file, absolute; without it, approvals last as long as this object. */
  readonly directory: string | undefined;
  /** Redacts text for people. Default: leaves it unchanged. */
  readonly redact?: ((text: string) => string) | undefined;
  readonly onWarning: (message: string) => void;
}

/** The user's approvals for the tools of an agent: of this process, and those kept by earlier ones. */
export class Approvals {
  readonly #given: Approval[] = [];
  readonly #file: ApprovalsFile | undefined;
  readonly #onWarning: (message: string) => void;
  /** Reads the file for each call that needs an approval. */
  readonly #warnOfEachOnce: (message: string) => void;

  constructor(options: ApprovalsOptions) {
    this.#onWarning = options.onWarning;
    this.#warnOfEachOnce = warnOfEachOnce(options.onWarning);
    this.#file = approvalsFile(options);
  }

  /** An approval that allows a call without a question. */
  covering(call: ApprovedCall): Approval | undefined {
    return this.#find(call, covers);
  }

  /** The hosts and paths that the user granted to this command for more than one call of a tool. */
  grants(tool: string, sessionKey: string, command: string): readonly SandboxGrant[] {
    const access: SandboxAccess = { kind: "outside", command };
    const holds: ApprovalTest = (approval) =>
      approval.tool === tool &&
      (approval.scope === "always" || (approval.scope === "session" && approval.sessionKey === sessionKey));
    const isOutside: ApprovalTest = (approval, marks) => holds(approval, marks) && approval.access === marks.access;
    const outside = this.#find({ tool, sessionKey, access: { kind: "sandbox", wanted: access } }, isOutside);
    return [...this.#opened(holds), ...(outside === undefined ? [] : [{ access, lasts: outside.scope }])];
  }

  /** Whether a call would be allowed, had the code of its tool not changed. */
  isOutdatedFor(call: ApprovedCall): boolean {
    const { codeHash } = call;
    const isOutdated: ApprovalTest = (approval, marks) =>
      approval.codeHash !== codeHash && coversOtherCode(approval, marks);
    return codeHash !== undefined && this.#find(call, isOutdated) !== undefined;
  }

  /** Resolves when the approval is on disk. If it cannot be written, it lasts for this process, and the user gets a warning. */
  async add(approval: GivenApproval): Promise<void> {
    const marked = withAccess(approval);
    this.#given.push(marked);
    await this.#file?.add(marked).catch((error: unknown) => {
      this.#onWarning(`the approval lasts for this process only: ${failureText(error)}`);
    });
  }

  #find(call: ApprovedCall, test: ApprovalTest): Approval | undefined {
    const marks = withAccess(call);
    const given = this.#given.findLast((approval) => test(approval, marks));
    return given ?? this.#fromFile((file) => file.findLast(marks, test));
  }

  /** Approvals of this process are in the file, too, unless it cannot be written. */
  #opened(test: ApprovalTest): readonly SandboxGrant[] {
    const kept = this.#fromFile((file) => file.grants()) ?? [];
    const all = [...kept, ...this.#given].filter((approval) => test(approval, approval));
    const newest = new Map(all.map((approval) => [approval.id, approval])).values();
    return [...newest].flatMap(({ opens, scope }) => (opens === undefined ? [] : [{ access: opens, lasts: scope }]));
  }

  /** Undefined if the file cannot be used. */
  #fromFile<Result>(read: (file: ApprovalsFile) => Result): Result | undefined {
    try {
      return this.#file && read(this.#file);
    } catch (error) {
      this.#warnOfEachOnce(`earlier approvals are ignored: ${failureText(error)}`);
      return undefined;
    }
  }
}

function approvalsFile({
  agentDir,
  directory,
  redact = (text) => text,
  onWarning,
}: ApprovalsOptions): ApprovalsFile | undefined {
  if (directory === undefined) return undefined;
  if (isWithin(agentDir, resolveRealPath(directory))) {
    onWarning("approvals last for this process only: they would be kept in the agent directory, where tools can write");
    return undefined;
  }
  const name = sha256(agentIdentity(agentDir));
  return new ApprovalsFile(join(directory, `${name}.jsonl`), redact);
}
