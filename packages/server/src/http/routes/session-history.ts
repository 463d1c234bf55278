import { jsonResponse, type Route, withBody } from "../route.ts";
import { idleSession } from "./idle-session.ts";
import { NOTHING, REWIND } from "./schemas.ts";
import { sessionView } from "./session-view.ts";
import { SESSION } from "./sessions.ts";

/** Changes of what a session sends to its model. */
export const SESSION_HISTORY_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: `${SESSION}/rewind`,
    summary: "Take back a prompt and all later ones, with the files that they changed",
    answers: { 200: { description: "what was taken back", type: "application/json" } },
    ...withBody(REWIND, async (call, { prompt, force = false }) => {
      const found = await idleSession(call);
      return jsonResponse(call, { undone: (await found.session.rewind(prompt, { force })) ?? null });
    }),
  },
  {
    method: "POST",
    path: `${SESSION}/compact`,
    summary: "Replace older messages by a summary in what is sent to the model; the session keeps them",
    answers: {
      200: {
        description: "the tokens of a request before and after; null if there is nothing to replace",
        type: "application/json",
      },
    },
    ...withBody(NOTHING, async (call) => {
      const { session } = await idleSession(call);
      call.keepOpen();
      const report = await session.compact({ signal: call.request.signal });
      return jsonResponse(call, { compacted: report ? { before: report.before, after: report.after } : null });
    }),
  },
  {
    method: "POST",
    path: `${SESSION}/clear`,
    summary: "Archive the messages of a session, which then begins anew",
    answers: { 200: { description: "the session", type: "application/json" } },
    ...withBody(NOTHING, async (call) => {
      const { open, session } = await idleSession(call);
      await session.clear();
      return jsonResponse(call, sessionView(open, session.id));
    }),
  },
];
