import type { JsonObject } from "@mdx-ai/base";
import type { Schema } from "@mdx-ai/base/schema";
import type { OpenDirectory } from "@mdx-ai/directory";
import { agentCard } from "../../a2a/agent-card.ts";
import { textStream } from "../event-stream.ts";
import { ProblemError } from "../problem.ts";
import { MAX_IMAGE_BYTES } from "../request-body.ts";
import { agentOf, type Call, jsonResponse, type Route, withBody } from "../route.ts";

const REQUEST: Schema<JsonObject> = { title: "a JSON-RPC request", type: "object" };

const AGENT = "/api/agents/{agent}";
const CARD = ".well-known/agent-card.json";
const card = { 200: { description: "the card", type: "application/json" } } as const;

/** A2A 1.0 by JSON-RPC: each agent has a card and an endpoint. */
export const A2A_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: `/${CARD}`,
    summary: "Read the card of the server's only agent, for A2A",
    answers: card,
    async answer(call) {
      const { agents } = call.services;
      const [name = "", ...others] = agents.names;
      if (others.length > 0) throw severalAgents(agents.names);
      return cardOf(call, name, await agents.of(name, call.caller.user));
    },
  },
  {
    method: "GET",
    path: `${AGENT}/${CARD}`,
    summary: "Read the card of an agent, for A2A",
    answers: card,
    answer: async (call) => cardOf(call, call.parameters["agent"] ?? "", await agentOf(call)),
  },
  {
    method: "POST",
    path: `${AGENT}/a2a`,
    summary: "Use an agent by A2A 1.0: JSON-RPC with SendMessage, SendStreamingMessage, GetTask, CancelTask and others",
    headers: { "A2A-Version": "`1.0`" },
    answers: {
      200: { description: "the response; of a stream, server-sent events with responses", type: "application/json" },
    },
    ...withBody(REQUEST, answer, MAX_IMAGE_BYTES),
  },
];

function severalAgents(names: readonly string[]): ProblemError {
  const paths = names.map((name) => `/api/agents/${encodeURIComponent(name)}/${CARD}`).join(", ");
  return new ProblemError({
    status: 404,
    code: "several_agents",
    detail: `the server has several agents, with cards at ${paths}`,
  });
}

function cardOf(call: Call, name: string, { directory }: OpenDirectory): Response {
  const { request, services } = call;
  const origin = new URL(request.url);
  // A proxy in front of the server may speak TLS.
  if (request.headers.get("x-forwarded-proto") === "https") origin.protocol = "https:";
  const url = new URL(`/api/agents/${encodeURIComponent(name)}/a2a`, origin).href;
  return jsonResponse(call, agentCard({ definition: directory.definition, url, version: services.version }));
}

async function answer(call: Call, body: JsonObject): Promise<Response> {
  const { answerJsonRpc } = await import("./json-rpc.ts");
  const { request, caller, services } = call;
  const open = await agentOf(call);
  call.keepOpen();
  const parts = { open, user: caller.user, left: request.signal, onWarning: services.onWarning };
  const version = request.headers.get("a2a-version") ?? undefined;
  const answered = await answerJsonRpc(body, { ...parts, version });
  if (answered.type === "response") return jsonResponse(call, answered.response);
  const stream = textStream(
    answered.responses,
    services,
    ": \n\n",
    (response) => `data: ${services.redactor.json(response)}\n\n`,
  );
  return new Response(stream, { headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" } });
}
