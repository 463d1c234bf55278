import type { SessionsVerification } from "./verify-all.ts";
import type { VerifyOptions } from "./verify-session.ts";

export interface VerifySessionsOptions extends VerifyOptions {
  /** The one session to verify; else all are. */
  readonly id?: string | undefined;
}

/**
 * Checks the sessions of a data directory, and mends what can be mended; one that another process uses is only looked at.
 * Rejects with `SessionIdError`, `UnknownSessionError`, or `JournalError` where `sessions/` is no folder, or a symbolic link.
 */
export async function verifySessions(
  dataDir: string,
  { id, ...options }: VerifySessionsOptions,
): Promise<SessionsVerification> {
  // Whoever runs an agent needs it not.
  const { verifyAll } = await import("./verify-all.ts");
  const { verifySession } = await import("./verify-session.ts");
  if (id === undefined) return verifyAll(dataDir, options);
  return { sessions: [verifySession(dataDir, id, options)], folder: { state: "ok", found: [], left: [] } };
}
