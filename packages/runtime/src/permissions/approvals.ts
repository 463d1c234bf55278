import { join } from "node:path";
import { failureText } from "../files/failure-text.ts";
import { isWithin, realPlace } from "../files/real-place.ts";
import { type Approval, type ApprovedCall, covers, isOutdated } from "./approval.ts";
import { ApprovalsFile } from "./approvals-file.ts";

export interface ApprovalsOptions {
  /** Absolute and real. */
  readonly agentDir: string;
  /** Absolute; without it approvals last as long as this object. */
  readonly directory: string | undefined;
  readonly onWarning: (message: string) => void;
}

/** What the user let the tools of an agent do: in this process, and before where that is kept. */
export class Approvals {
  readonly #given: Approval[] = [];
  readonly #file: ApprovalsFile | undefined;
  readonly #onWarning: (message: string) => void;
  #warned = "";

  constructor({ agentDir, directory, onWarning }: ApprovalsOptions) {
    this.#onWarning = onWarning;
    this.#file = directory === undefined ? undefined : approvalsFile(agentDir, directory, onWarning);
  }

  /** An approval that lets a call through which was not asked about: one of its session, or for always. */
  covering(call: ApprovedCall): Approval | undefined {
    return this.#all().findLast((approval) => approval.scope !== "once" && covers(approval, call));
  }

  /** Whether an approval is known and lets a call through. */
  confirms(id: string, call: ApprovedCall): boolean {
    return this.#all().some((approval) => approval.id === id && covers(approval, call));
  }

  /** Whether a call would have been let through, had the code of its tool not changed. */
  isOutdatedFor(call: ApprovedCall): boolean {
    return this.#all().some((approval) => approval.scope !== "once" && isOutdated(approval, call));
  }

  /** Resolves when it is on disk, or cannot be: then it holds for this process, and the user is warned. */
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
      this.#warnOnce(`approvals of before do not count: ${failureText(error)}`);
      return this.#given;
    }
  }

  /** The file is looked at for each call that is to be asked about. */
  #warnOnce(message: string): void {
    if (message !== this.#warned) this.#onWarning(message);
    this.#warned = message;
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
