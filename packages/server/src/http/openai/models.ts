import { jsonResponse, type Route } from "../route.ts";
import { openAiRoute } from "./openai-answer.ts";

const modelOf = (id: string): object => ({ id, object: "model", created: 0, owned_by: "mdx-ai" });

/** OpenAI's list of models: the agents. */
export const MODEL_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/models",
    summary: "List the agents, as OpenAI's models",
    answers: { 200: { description: "the models", type: "application/json" } },
    answer: (call) => jsonResponse(call, { object: "list", data: call.services.agents.names.map(modelOf) }),
  },
  openAiRoute({
    method: "GET",
    path: "/v1/models/{agent}",
    summary: "Read an agent, as OpenAI's model",
    answers: { 200: { description: "the model", type: "application/json" } },
    async answer(call) {
      const name = call.parameters["agent"] ?? "";
      await call.services.agents.of(name, call.caller.user);
      return jsonResponse(call, modelOf(name));
    },
  }),
];
