import type { Schema } from "@mdx-ai/base/schema";
import type { ModelRequest } from "./openai-answer.ts";

export interface ResponsesBody extends ModelRequest {
  readonly input: string | readonly unknown[];
  readonly instructions?: string | null;
  readonly previous_response_id?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly store?: boolean | null;
}

export const RESPONSES: Schema<ResponsesBody> = {
  title: "a request",
  type: "object",
  required: ["model", "input"],
  properties: {
    model: { title: "the name of an agent", type: "string" },
    input: { title: "a text or a list of items", type: ["string", "array"] },
    instructions: { title: "a text", type: ["string", "null"] },
    previous_response_id: { title: "the id of a response", type: ["string", "null"] },
    metadata: { title: "an object", type: ["object", "null"] },
    store: { title: "`true` or `false`", type: ["boolean", "null"] },
    stream: { title: "`true` or `false`", type: ["boolean", "null"] },
    tools: { title: "an empty list", type: ["array", "null"] },
  },
};
