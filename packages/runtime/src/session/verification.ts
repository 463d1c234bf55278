import type { Redactor } from "../redaction/redactor.ts";

export interface VerifyOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Look only, and change nothing. */
  readonly isCheck: boolean;
  /** The agent's own one: a history view lacks what it takes out. */
  readonly redactor?: Redactor | undefined;
}

/** What was found wrong, and what of it is still wrong. Both for people. */
export interface Verification {
  /** `repairable`: nothing was changed; `broken`: something cannot be repaired. */
  readonly state: "ok" | "repaired" | "repairable" | "broken";
  readonly found: readonly string[];
  readonly left: readonly string[];
}

/** The result of verifying a session. */
export interface SessionVerification extends Verification {
  readonly id: string;
  /** Since it was last cleared; 0 if it cannot be read. */
  readonly prompts: number;
  /** Whether the last prompt has no end: it runs right now, or the next start finishes it. */
  readonly isUnfinished: boolean;
  /** The process that uses it, for people; nothing was changed then. */
  readonly holder?: string;
  /** The names of files in its folder that keep what was damaged, as it was. */
  readonly kept: readonly string[];
}

/** The result of verifying the sessions of an agent directory. */
export interface SessionsVerification {
  /** In the order of their ids. */
  readonly sessions: readonly SessionVerification[];
  /** What is wrong with `sessions/` itself. */
  readonly folder: Verification;
}
