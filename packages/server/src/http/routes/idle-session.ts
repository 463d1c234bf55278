import { ProblemError } from "../problem.ts";
import { type Call, type SessionCall, sessionOf } from "../route.ts";

/** The session of a call, in which no prompt runs or waits. Rejects with `ProblemError` if one does, and as `sessionOf` does. */
export async function idleSession(call: Call): Promise<SessionCall> {
  const found = await sessionOf(call);
  if (await isIdle(found)) return found;
  throw new ProblemError({
    status: 409,
    code: "session_running",
    detail: `session ${found.session.id} has a running prompt`,
  });
}

/** Whether no prompt of a session runs or waits. */
export async function isIdle({ open, session }: SessionCall): Promise<boolean> {
  // An engine learns a little later than readers that a prompt has ended.
  for (let tries = 0; open.shared && session.activePrompts.length > 0 && tries < 10; tries++) {
    await Bun.sleep(50);
    await open.shared.refresh(session.id);
  }
  return session.activePrompts.length === 0;
}
