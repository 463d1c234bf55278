import { ProblemError } from "../problem.ts";
import { type Call, type SessionCall, sessionOf } from "../route.ts";

/** The session of a call, in which no prompt runs or waits. Rejects with `ProblemError` if one does, and as `sessionOf` does. */
export async function idleSession(call: Call): Promise<SessionCall> {
  const found = await sessionOf(call);
  const { open, session: one } = found;
  // An engine learns a little later than readers that a prompt has ended.
  for (let tries = 0; open.shared && one.activePrompts.length > 0 && tries < 10; tries++) {
    await Bun.sleep(50);
    await open.shared.refresh(one.id);
  }
  if (one.activePrompts.length === 0) return found;
  throw new ProblemError({
    status: 409,
    code: "session_running",
    detail: `session ${one.id} has a running prompt`,
  });
}
