import { eventStream } from "../event-stream.ts";
import { ProblemError } from "../problem.ts";
import { type Call, type Route, sessionOf } from "../route.ts";
import { SESSION } from "./sessions.ts";

export const EVENT_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: `${SESSION}/events`,
    summary: "Read the events of a session, past and live",
    query: {
      after: {
        title: "the id of an event",
        description: "The last event that was read. Default: the beginning.",
        type: "string",
      },
      follow: {
        title: "`true` or `false`",
        description: "Whether to wait for new events. Default: `true`.",
        type: "string",
        enum: ["true", "false"],
      },
    },
    headers: { "Last-Event-ID": "as `after`, which browsers send when they connect again" },
    answers: {
      200: {
        description:
          "Server-sent events if the request accepts `text/event-stream`, else a line of JSON for each event",
        type: "text/event-stream",
      },
    },
    answer: events,
  },
];

async function events(call: Call): Promise<Response> {
  const { session } = await sessionOf(call);
  const { request, query, services } = call;
  const after = query.get("after") ?? request.headers.get("last-event-id") ?? "0.0";
  if (!(await session.hasEvent(after))) {
    throw new ProblemError({
      status: 400,
      code: "unknown_event",
      detail: `session ${session.id} has no event ${JSON.stringify(after.slice(0, 40))}`,
    });
  }
  const isSse = /\btext\/event-stream\b/.test(request.headers.get("accept") ?? "");
  const stream = session.events({ after, isFollowing: query.get("follow") !== "false" });
  call.keepOpen();
  const body = eventStream(stream, { ...services, format: isSse ? "sse" : "ndjson" });
  return new Response(body, {
    headers: { "content-type": isSse ? "text/event-stream" : "application/x-ndjson", "x-accel-buffering": "no" },
  });
}
