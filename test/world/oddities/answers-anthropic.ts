import type { Expected, Oddity } from "../oddity.ts";
import { document, jsonOf, type NamedEvent, namedStream, stream } from "../wire-bodies.ts";

const start = (usage: unknown = { input_tokens: 10, output_tokens: 1 }): NamedEvent => ({
  type: "message_start",
  message: { id: "msg_w", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage },
});
const open = (index: number, content_block: object): NamedEvent => ({
  type: "content_block_start",
  index,
  content_block,
});
const more = (index: number, delta: object): NamedEvent => ({ type: "content_block_delta", index, delta });
const close = (index: number): NamedEvent => ({ type: "content_block_stop", index });
const ended = (stop_reason: unknown, usage: unknown = { output_tokens: 5 }): NamedEvent => ({
  ...{ type: "message_delta", delta: { stop_reason, stop_sequence: null } },
  ...(usage !== undefined && { usage }),
});
const stop: NamedEvent = { type: "message_stop" };

const text = (words: string, index = 0): readonly NamedEvent[] => [
  open(index, { type: "text", text: "" }),
  more(index, { type: "text_delta", text: words }),
  close(index),
];
const json = (partial_json: string, index = 0): NamedEvent => more(index, { type: "input_json_delta", partial_json });
const use = (input: unknown, ...pieces: readonly string[]): readonly NamedEvent[] => [
  open(0, { type: "tool_use", id: "toolu_1", name: "read_file", ...(input !== undefined && { input }) }),
  ...pieces.map((one) => json(one)),
  close(0),
];

const says = (words: string): Expected => ({ exit: 0, text: words, stop: "stop", requests: 1 });
const oneRead: Expected = {
  ...{ exit: 0, text: "Done.", requests: 2 },
  ...{ calls: ['read_file {"path":"a.md"}'], ran: ["read_file"] },
};
const PATH = { path: "a.md" };

type Row = Omit<Oddity, "wire">;

const rows: readonly Row[] = [
  {
    name: "z.ai: no counts at the start, all at the end",
    seen: "https://github.com/zai-org/GLM-5/issues/139",
    replies: [
      namedStream(
        start({ input_tokens: 0, output_tokens: 0 }),
        ...text("Hello"),
        ended("end_turn", { input_tokens: 14, output_tokens: 2 }),
        stop,
      ),
    ],
    expected: says("Hello"),
  },
  {
    name: "counts that are null, or not there",
    seen: "https://github.com/zai-org/GLM-5/issues/139",
    replies: [
      namedStream(start(null), ...text("Hello"), ended("end_turn", { input_tokens: null, output_tokens: null }), stop),
    ],
    expected: says("Hello"),
  },
  {
    name: "AxonHub: `message_delta` with its reason and no `message_stop`",
    seen: "https://github.com/tombii/better-ccflare/pull/307",
    replies: [namedStream(start(), ...text("Hello"), ended("end_turn"))],
    expected: says("Hello"),
  },
  {
    name: "a call, `message_delta` and no `message_stop`",
    seen: "https://github.com/tombii/better-ccflare/pull/307",
    replies: [namedStream(start(), ...use({}, '{"path":"a.md"}'), ended("tool_use"))],
    expected: oneRead,
  },
  {
    name: "Bedrock behind LiteLLM: cut within a call, and closed cleanly",
    seen: "https://github.com/BerriAI/litellm/pull/32159",
    replies: [
      namedStream(
        start(),
        open(0, { type: "tool_use", id: "t1", name: "bash", input: {} }),
        json('{"command":"touch x"}'),
      ),
    ],
    expected: { exit: 0, text: "Done.", requests: 2, ran: [] },
  },
  {
    name: "cut behind a whole block without a reason: not run",
    seen: "https://github.com/looplj/axonhub/pull/2000",
    replies: [
      namedStream(
        start(),
        open(0, { type: "tool_use", id: "t1", name: "bash", input: {} }),
        json('{"command":"touch x"}'),
        close(0),
      ),
    ],
    expected: { exit: 0, text: "Done.", requests: 2, ran: [] },
  },
  {
    name: "the connection stays open behind `message_stop`",
    seen: "https://github.com/earendil-works/pi/issues/5592",
    replies: [{ body: namedStream(start(), ...use({}, '{"path":"a.md"}'), ended("tool_use"), stop), end: "hang" }],
    expected: oneRead,
  },
  {
    name: "plano: a bare `message_stop`, asked again",
    seen: "https://github.com/katanemo/plano/pull/898",
    replies: [namedStream(stop)],
    expected: { exit: 0, text: "Done.", requests: 2 },
  },
  {
    name: "plano: two `message_stop`",
    seen: "https://github.com/katanemo/plano/pull/898",
    replies: [namedStream(start(), ...text("Hello"), ended("end_turn"), stop, stop)],
    expected: says("Hello"),
  },
  {
    name: "the input of a call is whole in its first event",
    seen: "https://github.com/MiXaiLL76/auto_ai_router/pull/145",
    replies: [namedStream(start(), ...use(PATH), ended("tool_use"), stop)],
    expected: oneRead,
  },
  {
    name: "the input is whole in the first event and comes again in pieces",
    seen: "https://github.com/vllm-project/vllm/pull/34887",
    replies: [namedStream(start(), ...use(PATH, '{"path":', '"a.md"}'), ended("tool_use"), stop)],
    expected: oneRead,
  },
  ...(["{}", "null", "{ }", ""] as const).map(
    (placeholder): Row => ({
      name: `gateways: ${JSON.stringify(placeholder)} before the real pieces`,
      seen: "https://github.com/assistant-ui/assistant-ui/pull/5080",
      replies: [namedStream(start(), ...use({}, placeholder, '{"path":', '"a.md"}'), ended("tool_use"), stop)],
      expected: oneRead,
    }),
  ),
  {
    name: "the pieces come, and then the whole again",
    seen: "https://github.com/vllm-project/vllm/issues/51697",
    replies: [namedStream(start(), ...use({}, '{"path":', '"a.md"}', '{"path":"a.md"}'), ended("tool_use"), stop)],
    expected: oneRead,
  },
  {
    name: "an input that is null, or missing",
    seen: "https://github.com/agentjido/req_llm/pull/763",
    replies: [namedStream(start(), ...use(null, '{"path":"a.md"}'), ended("tool_use"), stop)],
    expected: oneRead,
  },
  {
    name: "`end_turn` where a call is",
    seen: "https://github.com/intrafind/ihub-apps/pull/95",
    replies: [namedStream(start(), ...use(PATH), ended("end_turn"), stop)],
    expected: oneRead,
  },
  {
    name: "no events of a block but its deltas",
    seen: "https://github.com/ihsan-ramadhan/bansos-router/pull/3",
    replies: [
      namedStream(
        start(),
        open(0, { type: "text", text: "" }),
        more(0, { type: "text_delta", text: "Hello" }),
        ended("end_turn"),
        stop,
      ),
    ],
    expected: says("Hello"),
  },
  {
    name: "a thinking block that is open when the call begins",
    seen: "https://github.com/ihsan-ramadhan/bansos-router/pull/3",
    replies: [
      namedStream(
        start(),
        open(0, { type: "thinking", thinking: "" }),
        more(0, { type: "thinking_delta", thinking: "I look." }),
        open(1, { type: "tool_use", id: "t1", name: "read_file", input: {} }),
        json('{"path":"a.md"}', 1),
        close(1),
        ended("tool_use"),
        stop,
      ),
    ],
    expected: { ...oneRead, thinking: "I look." },
  },
  {
    name: "z.ai: `sensitive` is a refusal",
    seen: "https://github.com/earendil-works/pi/pull/1509",
    replies: [namedStream(start(), ended("sensitive"), stop)],
    expected: { exit: 1, stop: "refusal" },
  },
  {
    name: "an unknown reason is a warning",
    seen: "https://github.com/earendil-works/pi/pull/1509",
    replies: [namedStream(start(), ...text("Hello"), ended("new_reason"), stop)],
    expected: { exit: 0, text: "Hello", says: ["new_reason"] },
  },
  {
    name: "an answer of nothing, twice",
    seen: "https://github.com/katanemo/plano/pull/898",
    replies: [1, 2, 3].map(() => namedStream(start(), ended("end_turn"), stop)),
    expected: { exit: 1, requests: 2 },
  },
  {
    name: "thinking alone, twice: z.ai behind a call",
    seen: "https://github.com/earendil-works/pi/pull/358",
    replies: [1, 2, 3].map(() =>
      namedStream(
        start(),
        open(0, { type: "thinking", thinking: "" }),
        more(0, { type: "thinking_delta", thinking: "Hm." }),
        close(0),
        ended("end_turn"),
        stop,
      ),
    ),
    expected: { exit: 1, requests: 2 },
  },
  {
    name: "data without the names of events, and `[DONE]`",
    seen: "https://github.com/ihsan-ramadhan/bansos-router/pull/3",
    replies: [stream([start(), ...text("Hello"), ended("end_turn"), stop, "[DONE]"])],
    expected: says("Hello"),
  },
  {
    name: "a document for who asked for a stream",
    seen: "https://github.com/qbit-ai/qbit/pull/149",
    replies: [
      document({
        type: "message",
        role: "assistant",
        content: [{ type: "text", text: "Hello" }],
        stop_reason: "end_turn",
      }),
    ],
    expected: says("Hello"),
  },
  {
    name: "a stream under `text/plain`",
    seen: "https://github.com/pytorch/torchchat/pull/955",
    replies: [{ body: namedStream(start(), ...text("Hello"), ended("end_turn"), stop), type: "text/plain" }],
    expected: says("Hello"),
  },
  {
    name: "meridian: an error in mid-stream, behind the end of the message",
    seen: "https://github.com/rynfar/meridian/pull/185",
    replies: [
      namedStream(start(), { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } as const),
    ],
    expected: { exit: 0, text: "Done.", requests: 2 },
  },
  {
    name: "DeepSeek asks for its thinking back: it had gone back",
    seen: "https://github.com/esengine/DeepSeek-Reasonix/issues/8902",
    replies: [
      namedStream(
        start(),
        open(0, { type: "thinking", thinking: "" }),
        more(0, { type: "thinking_delta", thinking: "I look." }),
        more(0, { type: "signature_delta", signature: "sig" }),
        close(0),
        open(1, { type: "tool_use", id: "t1", name: "read_file", input: PATH }),
        close(1),
        ended("tool_use"),
        stop,
      ),
    ],
    expected: { ...oneRead, sent: ([, second]) => jsonOf(second).includes('"thinking":"I look."') },
  },
];

/** What servers of the Messages interface answer. */
export const anthropicAnswers: readonly Oddity[] = rows.map((row) => ({ wire: "anthropic", ...row }));
