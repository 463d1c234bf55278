import { isRecord } from "@mdx-ai/base";
import { refusalOf } from "./anthropic-refusal.ts";
import { answerEvents } from "./anthropic-replies.ts";
import { streamBytes } from "./anthropic-server.ts";
import { type PlotTurn, PROMPTS, SUMMARY, turnsOf } from "./crash-plot.ts";

/** What the judge was asked. */
export interface Question {
  /** The turn of the plot that it answered; "summary" for a summary, "?" where the plot knows no answer. */
  readonly turn: string;
  /** Why the real API would have refused the transcript. */
  readonly refusal: string | undefined;
}

export interface CrashJudge extends Disposable {
  readonly environment: Readonly<Record<string, string>>;
  readonly questions: readonly Question[];
}

/**
 * A Messages API on loopback that goes on with the plot from where a transcript ends, as a real model would, whoever
 * answered before; it refuses transcripts that the real one refuses.
 */
export function crashJudge(): CrashJudge {
  const questions: Question[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const text = await request.text();
      const refusal = refusalOf(text);
      const turn = refusal === undefined ? turnAskedFor(JSON.parse(text)) : undefined;
      questions.push({ turn: turn?.id ?? "?", refusal });
      if (turn === undefined) return refused(refusal ?? "the plot does not go on from here");
      return answered(turn, text.length);
    },
  });
  return {
    environment: { ANTHROPIC_API_KEY: "sk-ant-test-key", ANTHROPIC_BASE_URL: server.url.origin },
    questions,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const CHARACTERS_OF_A_TOKEN = 4;

function answered({ text, calls }: PlotTurn, characters: number): Response {
  const blocks = calls.map((call) => ({ id: call.id, name: call.name, json: [JSON.stringify(call.arguments)] }));
  const usage = { input_tokens: Math.ceil(characters / CHARACTERS_OF_A_TOKEN), output_tokens: 5 };
  const events = answerEvents([{ text: [text] }, ...blocks], { usage });
  return new Response(streamBytes(events), { headers: { "content-type": "text/event-stream" } });
}

function refused(message: string): Response {
  return Response.json({ type: "error", error: { type: "invalid_request_error", message } }, { status: 400 });
}

const SUMMARY_TURN: PlotTurn = { id: "summary", text: SUMMARY, calls: [] };

/** A request without tools asks for a summary; any other is told by what its last message ends with. */
function turnAskedFor(body: unknown): PlotTurn | undefined {
  if (!isRecord(body) || !Array.isArray(body["messages"])) return undefined;
  if (!Array.isArray(body["tools"]) || body["tools"].length === 0) return SUMMARY_TURN;
  const last: unknown = body["messages"].at(-1);
  const content: unknown = isRecord(last) ? last["content"] : undefined;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return blocks.flatMap((block) => turnAfter(block) ?? []).at(-1);
}

/** The turn that follows a tool result, or a text that holds what the user says in the plot. */
function turnAfter(block: unknown): PlotTurn | undefined {
  if (!isRecord(block)) return undefined;
  const [answered] = /^[a-z]\d(?=-)/.exec(String(block["tool_use_id"])) ?? [];
  const said = /prompt ([a-z])\b/.exec(String(block["text"]))?.[1];
  const turns = PROMPTS.filter((prompt) => prompt === (answered?.at(0) ?? said)).flatMap(turnsOf);
  return turns[turns.findIndex(({ id }) => id === answered) + 1];
}
