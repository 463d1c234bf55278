import { join } from "node:path";
import type { Session } from "@mdx-ai/runtime";
import { textStream } from "../event-stream.ts";
import { ProblemError } from "../problem.ts";
import { MAX_IMAGE_BYTES } from "../request-body.ts";
import { type Call, jsonResponse, type Route, withBody } from "../route.ts";
import { COMPACT, compact, unpacked } from "./compaction.ts";
import { askedOf, mistake } from "./messages.ts";
import { ask, askedAgent, openAiRoute, wholeAnswer } from "./openai-answer.ts";
import { type BegunResponse, responseEvents, responseObject } from "./response-events.ts";
import { ConnectionIds, continued, promptOf, type ResponseIds, STORED_IDS } from "./response-ids.ts";
import { ResponseSocket } from "./response-socket.ts";
import { RESPONSES, type ResponsesBody } from "./responses-request.ts";

/** OpenAI's responses, as Open Responses describes them: each agent is a model. */
export const RESPONSE_ROUTES: readonly Route[] = [
  openAiRoute({
    method: "POST",
    path: "/v1/responses",
    summary: "Ask an agent, as OpenAI's responses",
    answers: { 200: { description: "the response; with `stream`, server-sent events", type: "application/json" } },
    ...withBody(RESPONSES, respond, MAX_IMAGE_BYTES),
  }),
  {
    method: "GET",
    path: "/v1/responses",
    summary: "Ask an agent over a WebSocket: each message `response.create` gets the events of its response",
    answers: { 101: { description: "a WebSocket" } },
    answer(call) {
      if (call.upgrade(new ResponseSocket(call, beginResponse))) return undefined;
      throw new ProblemError({ status: 426, code: "no_websocket", detail: "this path takes POST, or a WebSocket" });
    },
  },
  openAiRoute({
    method: "POST",
    path: "/v1/responses/compact",
    summary: "Pack a conversation into one item",
    answers: { 200: { description: "the items that stand for the conversation", type: "application/json" } },
    ...withBody(COMPACT, compact, MAX_IMAGE_BYTES),
  }),
];

/** Submits the prompt of a request. `unstored` gives ids to responses that are not to be stored. Rejects with a problem. */
async function beginResponse(call: Call, body: ResponsesBody, unstored: ResponseIds): Promise<BegunResponse> {
  const open = await askedAgent(call, body);
  const items = typeof body.input === "string" ? [{ role: "user", content: body.input }] : unpacked(body.input);
  const asked = askedOf([...(body.instructions ? [{ role: "system", content: body.instructions }] : []), ...items]);
  const previous = body.previous_response_id ?? undefined;
  const store = body.store !== false;
  const given = {
    created: Math.floor(Date.now() / 1000),
    model: body.model,
    instructions: body.instructions ?? null,
    previous: previous ?? null,
    metadata: body.metadata ?? {},
    store,
  };
  const begin = async (session: Session): Promise<BegunResponse> => ({
    answering: await ask(call, open, session, asked),
    headOf: (prompt) => ({ ...given, id: (store ? STORED_IDS : unstored).idOf({ session: session.id, prompt }) }),
  });
  if (previous === undefined) return begin(await call.services.conversations.session(open, asked));
  const found = promptOf(previous, unstored);
  // It may wait for others that continue the session.
  call.keepOpen();
  return call.services.turns.run(join(open.dataDirectory, found.session), async () => {
    const session = await continued(open, previous, found);
    if (call.request.signal.aborted) throw mistake("the client left");
    return begin(session);
  });
}

async function respond(call: Call, body: ResponsesBody): Promise<Response> {
  const begun = await beginResponse(call, body, new ConnectionIds());
  if (body.stream !== true) {
    const { prompt, ...answer } = await wholeAnswer(begun.answering);
    return jsonResponse(call, responseObject(begun.headOf(prompt), answer));
  }
  const { services } = call;
  const stream = textStream(responseEvents(begun), services, ": \n\n", (event) =>
    event === "[DONE]" ? "data: [DONE]\n\n" : `event: ${event.type}\ndata: ${services.redactor.json(event)}\n\n`,
  );
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}
