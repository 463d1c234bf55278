import type { Route } from "../route.ts";
import { AGENT_ROUTES } from "./agents.ts";
import { EVENT_ROUTES } from "./events.ts";
import { HEALTH_ROUTES } from "./health.ts";
import { PROMPT_ROUTES } from "./prompts.ts";
import { QUESTION_ROUTES } from "./questions.ts";
import { SESSION_ROUTES } from "./sessions.ts";

/** All operations of the API, in the order of its description. */
export const ROUTES: readonly Route[] = [
  ...HEALTH_ROUTES,
  ...AGENT_ROUTES,
  ...SESSION_ROUTES,
  ...PROMPT_ROUTES,
  ...EVENT_ROUTES,
  ...QUESTION_ROUTES,
];
