import type { SessionsVerification, VerifyOptions } from "./verify-session.ts";

export interface VerifySessionsOptions extends VerifyOptions {
  /** The one session to verify; all if absent. */
  readonly id?: string | undefined;
}

/**
 * Checks the sessions of a data directory and repairs what can be repaired; a session that another process uses is only
 * checked. Rejects with `SessionIdError`, `UnknownSessionError`, or `JournalError` if `sessions/` is no folder, or a
 * symbolic link.
 */
export async function verifySessions(
  dataDir: string,
  { id, ...options }: VerifySessionsOptions,
): Promise<SessionsVerification> {
  // Loaded lazily: running an agent does not need it.
  const { verifyAll, verifySession } = await import("./verify-session.ts");
  if (id === undefined) return verifyAll(dataDir, options);
  return { sessions: [verifySession(dataDir, id, options)], folder: { state: "ok", found: [], left: [] } };
}
