import type { OpenDirectory } from "@mdx-ai/directory";
import type { Question } from "@mdx-ai/loop";
import type { Usage } from "@mdx-ai/models";
import type { Session } from "@mdx-ai/runtime";
import { UnknownAgentError } from "../../agents/served-agents.ts";
import { whereToAnswer } from "../../questions/where-to-answer.ts";
import { problemOf } from "../problem.ts";
import type { Call, Route } from "../route.ts";
import { type Answering, answerPieces, type Piece } from "./answer-pieces.ts";
import type { Asked } from "./conversations.ts";
import { mistake } from "./messages.ts";

/** The members of a request that both APIs have. Others have no effect here, such as `temperature`: the agent's settings decide. */
export interface ModelRequest {
  readonly model: string;
  readonly stream?: boolean | null;
  readonly tools?: readonly unknown[] | null;
}

/** The agent that a request names as its model. Rejects as `ServedAgents.of` does, or with a mistake for what an agent cannot do. */
export async function askedAgent({ services, caller }: Call, { model, tools }: ModelRequest): Promise<OpenDirectory> {
  if ((tools ?? []).length > 0) throw mistake("an agent runs its own tools; leave `tools` out");
  return services.agents.of(model, caller.user);
}

/** Submits the prompt of a request. The answer ends with the client, which then cancels it. Rejects as `Session.submit` does. */
export async function ask(
  call: Call,
  open: OpenDirectory,
  session: Session,
  { text, images }: Asked,
): Promise<Answering> {
  const { request } = call;
  const places = { directory: open.shared === undefined ? open.directory.path : undefined, takesPosts: true };
  const questionText = (question: Question): string => whereToAnswer(question, places);
  const answering = answerPieces(session, { text, images, questionText });
  request.signal.addEventListener("abort", () => answering.stop(), { once: true });
  call.keepOpen();
  await answering.begun;
  return answering;
}

export interface WholeAnswer {
  /** The number of its prompt in the session. */
  readonly prompt: number;
  readonly text: string;
  readonly end: EndPiece;
}

/** A whole answer. Rejects with a problem if the client leaves before its end. */
export async function wholeAnswer({ pieces }: Answering): Promise<WholeAnswer> {
  let prompt = 0;
  let text = "";
  for await (const piece of pieces) {
    if (piece.type === "end") return { prompt, text, end: piece };
    if (piece.type === "begin") prompt = piece.prompt;
    else text += piece.text;
  }
  throw mistake("the client left");
}

export type EndPiece = Extract<Piece, { type: "end" }>;

/** The tokens of all that the model read, and of its answers. */
export const tokensOf = ({
  input,
  output,
  cacheRead,
  cacheWrite,
}: Usage): { readonly read: number; readonly said: number } => ({
  read: input + cacheRead + cacheWrite,
  said: output,
});

/** An error as OpenAI's clients expect it. */
export function openAiError(error: unknown): { readonly status: number; readonly body: object } {
  const problem = problemOf(error);
  const { status, code, detail } = problem ?? { status: 500, code: "server_error", detail: "the request failed" };
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  const known = error instanceof UnknownAgentError ? "model_not_found" : code;
  return { status, body: { error: { message: detail, type, param: null, code: known } } };
}

/** A route whose problems have the form of OpenAI's errors. */
export const openAiRoute = (route: Route): Route => ({
  ...route,
  async answer(call) {
    try {
      return await route.answer(call);
    } catch (error) {
      if (problemOf(error) === undefined) throw error;
      const { status, body } = openAiError(error);
      // Clients would otherwise repeat a failed request, which is another prompt.
      return Response.json(body, { status, headers: { "x-should-retry": "false" } });
    }
  },
});
