import { ProblemError } from "../problem.ts";
import { jsonResponse, type Route } from "../route.ts";

const STATE = { description: "its state and version", type: "application/json" } as const;

export const HEALTH_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/healthz",
    summary: "Whether the server runs",
    isOpen: true,
    answers: { 200: STATE },
    answer: (call) => jsonResponse(call, { status: "ok", version: call.services.version }),
  },
  {
    method: "GET",
    path: "/readyz",
    summary: "Whether all agents are open",
    isOpen: true,
    answers: { 200: STATE, 503: { description: "not yet" } },
    answer(call) {
      if (call.services.isReady()) return jsonResponse(call, { status: "ready" });
      throw new ProblemError({ status: 503, code: "not_ready", detail: "the agents are being opened" });
    },
  },
];
