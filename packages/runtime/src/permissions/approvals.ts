import { join } from "node:path";
import { failureText } from "../files/error-code.ts";
import { isWithin, realPlace } from "../files/real-place.ts";
import { type Approval, ApprovalsFile } from "./approvals-file.ts";

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

  /** Whether an approval is known and allows a call. */
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
