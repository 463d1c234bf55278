import { A2A_ROUTES } from "../a2a/routes.ts";
import { AG_UI_ROUTES } from "../ag-ui/routes.ts";
import { CHAT_ROUTES } from "../openai/chat.ts";
import { MODEL_ROUTES } from "../openai/models.ts";
import { RESPONSE_ROUTES } from "../openai/responses.ts";
import { openApi } from "../openapi.ts";
import { jsonResponse, type Route } from "../route.ts";
import { PART_ROUTES } from "./agent-parts.ts";
import { AGENT_ROUTES } from "./agents.ts";
import { EVENT_ROUTES } from "./events.ts";
import { HEALTH_ROUTES } from "./health.ts";
import { PAGE_ROUTES } from "./page.ts";
import { PROMPT_ROUTES } from "./prompts.ts";
import { QUESTION_ROUTES } from "./questions.ts";
import { SESSION_HISTORY_ROUTES } from "./session-history.ts";
import { SESSION_PART_ROUTES } from "./session-parts.ts";
import { SESSION_ROUTES } from "./sessions.ts";

/** All operations of the API, in the order of its description. */
export const ROUTES: readonly Route[] = [
  ...PAGE_ROUTES,
  ...HEALTH_ROUTES,
  {
    method: "GET",
    path: "/openapi.json",
    summary: "Read this description",
    answers: { 200: { description: "the description of the API in OpenAPI 3.1", type: "application/json" } },
    answer: (call) => jsonResponse(call, openApi(ROUTES, call.services.version)),
  },
  ...AGENT_ROUTES,
  ...PART_ROUTES,
  ...SESSION_ROUTES,
  ...SESSION_HISTORY_ROUTES,
  ...SESSION_PART_ROUTES,
  ...PROMPT_ROUTES,
  ...EVENT_ROUTES,
  ...QUESTION_ROUTES,
  ...MODEL_ROUTES,
  ...CHAT_ROUTES,
  ...RESPONSE_ROUTES,
  ...AG_UI_ROUTES,
  ...A2A_ROUTES,
];
