import type { Session } from "@mdx-ai/runtime";
import { type Call, jsonResponse, type Route, sessionOf, withBody } from "../route.ts";
import { SKILL_CHOICE } from "./schemas.ts";
import { SESSION } from "./sessions.ts";

export const SESSION_PART_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: `${SESSION}/info`,
    summary: "Read what a session and the day have cost, and how full the context is",
    answers: { 200: { description: "costs in US dollars, and tokens of the next request", type: "application/json" } },
    async answer(call) {
      const { session } = await sessionOf(call);
      const { session: cost, day, context } = await session.info();
      return jsonResponse(call, { session: cost, day, context, mode: session.mode });
    },
  },
  {
    method: "GET",
    path: `${SESSION}/skills`,
    summary: "List the skills of a session, and which of them it has",
    answers: { 200: { description: "the skills", type: "application/json" } },
    answer: async (call) => skillsOf(call, (await sessionOf(call)).session),
  },
  {
    method: "PATCH",
    path: `${SESSION}/skills/{skill}`,
    summary: "Give a session a skill, or take it away",
    answers: { 200: { description: "the skills", type: "application/json" } },
    ...withBody(SKILL_CHOICE, async (call, { enabled }) => {
      const { session } = await sessionOf(call);
      const name = call.parameters["skill"] ?? "";
      await (enabled ? session.enableSkill(name) : session.disableSkill(name));
      return skillsOf(call, session);
    }),
  },
];

async function skillsOf(call: Call, session: Session): Promise<Response> {
  const skills = await session.skills();
  const views = skills.map(({ definition: { name, description }, isEnabled, tools }) => ({
    ...{ name, description, isEnabled, tools },
  }));
  return jsonResponse(call, { skills: views });
}
