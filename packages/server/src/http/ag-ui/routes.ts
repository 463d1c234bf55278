import { isJsonObject, isRecord, type JsonObject, sha256 } from "@mdx-ai/base";
import type { Schema } from "@mdx-ai/base/schema";
import type { OpenDirectory } from "@mdx-ai/directory";
import type { AnswerWords } from "@mdx-ai/loop";
import type { ImageContent } from "@mdx-ai/models";
import type { Session } from "@mdx-ai/runtime";
import { fileStore, idRefusal, leavable, makeSession, SessionExistsError } from "@mdx-ai/sessions";
import { givenImage } from "../../images/given-image.ts";
import { textStream } from "../event-stream.ts";
import { ProblemError } from "../problem.ts";
import { promptEvents } from "../prompt-events.ts";
import { MAX_IMAGE_BYTES } from "../request-body.ts";
import { agentOf, type Call, type Route, withBody } from "../route.ts";
import { encodeEvents } from "./encode-events.ts";

interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  readonly messages: readonly unknown[];
  readonly resume?: readonly unknown[] | null;
}

const RUN: Schema<RunInput> = {
  title: "the input of a run",
  type: "object",
  required: ["threadId", "runId", "messages"],
  properties: {
    threadId: { title: "the id of a conversation", type: "string", minLength: 1 },
    runId: { title: "the id of a run", type: "string", minLength: 1 },
    messages: { title: "a list of messages", type: "array" },
    resume: { title: "answers to interrupts", type: ["array", "null"] },
  },
};

/** AG-UI 1.0: the conversation is a session, and its last message the prompt. */
export const AG_UI_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/api/agents/{agent}/ag-ui",
    summary: "Run a prompt as AG-UI: the session has the thread's id, and questions are interrupts",
    answers: { 200: { description: "the events of AG-UI 1.0", type: "text/event-stream" } },
    ...withBody(RUN, run, MAX_IMAGE_BYTES),
  },
];

async function run(call: Call, { threadId, runId, messages, resume }: RunInput): Promise<Response> {
  const open = await agentOf(call);
  const session = await threadOf(open, threadId);
  const answers = (resume ?? []).flatMap((entry) => (isRecord(entry) ? [answerOf(entry)] : []));
  const asked = answers.length > 0 ? undefined : promptOf(messages);
  const { begun, events, stop } = promptEvents(session, async () => {
    if (asked !== undefined) return session.submit(asked.text, { images: asked.images });
    for (const { id, words } of answers) await session.answer(id, words, { by: "server", user: call.caller.user });
    return undefined;
  });
  call.keepOpen();
  await begun;
  const { services } = call;
  const encoded = leavable(encodeEvents(events, { threadId, runId }), stop);
  const stream = textStream(encoded, services, ": \n\n", (event) => `data: ${services.redactor.json(event)}\n\n`);
  return new Response(stream, { headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" } });
}

/** The session of a thread, made when it is first used. */
async function threadOf(open: OpenDirectory, thread: string): Promise<Session> {
  const id = idRefusal(thread) === undefined ? thread : `thread-${sha256(thread).slice(0, 16)}`;
  if (id === open.session) return open.agent.session(id);
  if (open.shared) await open.shared.create(id, undefined).catch(ifThere);
  else if (!fileStore(open).has(id)) makeSession(open.dataDirectory, id);
  return open.agent.session(id);
}

function ifThere(error: unknown): void {
  if (!(error instanceof SessionExistsError)) throw error;
}

/** The answer in an entry of `resume`: a cancelled one is a no. */
function answerOf({ interruptId, status, payload }: JsonObject | Readonly<Record<string, unknown>>): {
  readonly id: string;
  readonly words: AnswerWords;
} {
  const said = isRecord(payload) && "answer" in payload ? payload["answer"] : payload;
  const words = typeof said === "string" || isJsonObject(said) ? said : String(said ?? "yes");
  return { id: String(interruptId), words: status === "cancelled" ? "no" : words };
}

function promptOf(messages: readonly unknown[]): { readonly text: string; readonly images: readonly ImageContent[] } {
  const last = messages.at(-1);
  const content = isRecord(last) && last["role"] === "user" ? last["content"] : undefined;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) => (isRecord(part) && typeof part["text"] === "string" ? [part["text"]] : []));
  const text = typeof content === "string" ? content : texts.join("\n");
  if (text.trim() !== "") return { text, images: parts.flatMap(imageOf) };
  throw new ProblemError({
    status: 422,
    code: "wrong_body",
    detail: "the last message needs the role user and a text",
  });
}

function imageOf(part: unknown): readonly ImageContent[] {
  if (!isRecord(part) || part["type"] !== "image" || !isRecord(part["source"])) return [];
  const { type, value, mimeType } = part["source"];
  const image = type === "data" ? givenImage(value, mimeType) : undefined;
  if (image !== undefined) return [image];
  throw new ProblemError({ status: 422, code: "wrong_body", detail: "an image needs a source with data" });
}
