import { defined } from "@mdx-ai/base";
import { resumeInBackground } from "../../agents/resume-unfinished.ts";
import { ProblemError } from "../problem.ts";
import { MAX_IMAGE_BYTES } from "../request-body.ts";
import { type Call, jsonResponse, type Route, sessionOf, withBody } from "../route.ts";
import { CANCEL, type CancelBody, INPUT, type InputBody, imagesOf, NOTHING } from "./schemas.ts";
import { SESSION } from "./sessions.ts";

export const PROMPT_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: `${SESSION}/prompts`,
    summary: "Submit a prompt, which runs after those that wait",
    headers: {
      "Idempotency-Key": "the id of the prompt; sending the same input with the same key again starts nothing",
    },
    answers: { 202: { description: "the prompt's id; its input is on disk", type: "application/json" } },
    ...withBody(INPUT, submit, MAX_IMAGE_BYTES),
  },
  {
    method: "POST",
    path: `${SESSION}/steer`,
    summary: "Add an input to the running prompt",
    answers: { 202: { description: "the next model request contains it", type: "application/json" } },
    ...withBody(INPUT, steer, MAX_IMAGE_BYTES),
  },
  {
    method: "POST",
    path: `${SESSION}/cancel`,
    summary: "Cancel a queued, running or interrupted prompt",
    answers: { 200: { description: "the id of the cancelled prompt", type: "application/json" } },
    ...withBody(CANCEL, cancel),
  },
  {
    method: "POST",
    path: `${SESSION}/resume`,
    summary: "Run the unfinished prompts of a session that came from elsewhere",
    answers: { 202: { description: "the prompts that run now", type: "application/json" } },
    ...withBody(NOTHING, resume),
  },
];

async function submit(call: Call, body: InputBody): Promise<Response> {
  const { session } = await sessionOf(call);
  const options = defined({ key: keyOf(call), images: imagesOf(body) });
  return jsonResponse(call, { promptId: await session.submit(body.text, options) }, 202);
}

/** The key of a submission; undefined without one. Throws `ProblemError`. */
function keyOf({ request }: Call): string | undefined {
  const key = request.headers.get("idempotency-key") ?? undefined;
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const detail = "the Idempotency-Key needs 1 to 255 visible ASCII characters";
  throw new ProblemError({ status: 400, code: "wrong_key", detail });
}

async function steer(call: Call, body: InputBody): Promise<Response> {
  const { session } = await sessionOf(call);
  if (await session.steer(body.text, imagesOf(body))) return jsonResponse(call, { accepted: true }, 202);
  throw new ProblemError({
    status: 409,
    code: "nothing_runs",
    detail: `session ${session.id} has no running prompt that takes it`,
  });
}

async function cancel(call: Call, { prompt }: CancelBody): Promise<Response> {
  const { session } = await sessionOf(call);
  const pending = prompt === undefined ? (session.activePrompts[0] ?? (await session.pendingPrompts())[0])?.id : prompt;
  if (pending !== undefined && (await session.cancel(pending))) return jsonResponse(call, { cancelled: pending });
  const detail =
    pending === undefined ? `session ${session.id} has no prompt to cancel` : `no prompt ${pending} runs or waits`;
  throw new ProblemError({ status: prompt === undefined ? 409 : 404, code: "unknown_prompt", detail });
}

async function resume(call: Call): Promise<Response> {
  const { session } = await sessionOf(call);
  const prompts = await session.pendingPrompts();
  if (prompts.length > 0) resumeInBackground(session, call.services.onWarning);
  return jsonResponse(call, { prompts: prompts.map(({ id, input, state }) => ({ id, text: input, state })) }, 202);
}
