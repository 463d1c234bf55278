import type { SessionInUseError } from "@mdx-ai/runtime";

/** A run was asked for in a session that another process uses. */
export class SessionTakenError extends Error {
  override readonly name = "SessionTakenError";

  constructor(cause: SessionInUseError) {
    super(`${cause.message}; wait for it with --wait, or use another session with --session NAME`, { cause });
  }
}
