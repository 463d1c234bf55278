import type { Expected, Oddity } from "../oddity.ts";
import { document, type NamedEvent, namedStream, stream } from "../wire-bodies.ts";

const event = (name: string, fields: object): NamedEvent => ({ type: `response.${name}`, ...fields });
const created = event("created", { response: { id: "resp_w", model: "m", status: "in_progress", output: [] } });
const ended = (name: string, output: readonly object[], rest: object = {}): NamedEvent =>
  event(name, { response: { id: "resp_w", model: "m", status: name, output, ...rest } });

const READ = '{"path":"a.md"}';
const readItem = (rest: object = {}): object => ({
  ...{ id: "fc_1", type: "function_call", call_id: "call_1", name: "read_file", arguments: READ, status: "completed" },
  ...rest,
});
const textItem = (words: string, rest: object = {}): object => ({
  ...{ id: "msg_1", type: "message", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text: words, annotations: [] }],
  ...rest,
});
const added = (item: object, output_index: unknown = 0): NamedEvent =>
  event("output_item.added", { output_index, item });
const done = (item: object, output_index: unknown = 0): NamedEvent => event("output_item.done", { output_index, item });
const textDelta = (delta: string, rest: object = { output_index: 0, item_id: "msg_1" }): NamedEvent =>
  event("output_text.delta", { delta, content_index: 0, ...rest });
const jsonDelta = (delta: string): NamedEvent =>
  event("function_call_arguments.delta", { output_index: 0, item_id: "fc_1", delta });

const says = (words: string): Expected => ({ exit: 0, text: words, stop: "stop", requests: 1 });
const oneRead: Expected = {
  ...{ exit: 0, text: "Done.", requests: 2 },
  ...{ calls: ['read_file {"path":"a.md"}'], ran: ["read_file"] },
};

type Row = Omit<Oddity, "wire">;

const rows: readonly Row[] = [
  {
    name: "a call in `output_item.done` alone, without an id of its item",
    seen: "https://github.com/anomalyco/opencode/pull/45081",
    replies: [namedStream(created, done(readItem({ id: undefined })), ended("completed", []))],
    expected: oneRead,
  },
  {
    name: "a call whose arguments are in `output_item.done` alone",
    seen: "https://github.com/rsalmn/ExtremeRouter/pull/9",
    replies: [
      namedStream(created, added(readItem({ arguments: "" })), done(readItem()), ended("completed", [readItem()])),
    ],
    expected: oneRead,
  },
  {
    name: "arguments in `function_call_arguments.done` alone",
    seen: "https://github.com/iii-hq/workers/pull/1020",
    replies: [
      namedStream(
        created,
        added(readItem({ arguments: "" })),
        event("function_call_arguments.done", { output_index: 0, item_id: "fc_1", arguments: READ }),
        ended("completed", []),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "all items in `response.completed` alone",
    seen: "https://github.com/NVIDIA-NeMo/Switchyard/pull/777",
    replies: [namedStream(created, ended("completed", [readItem()]))],
    expected: oneRead,
  },
  {
    name: "LlamaStack: deltas of text without their `done`",
    seen: "https://github.com/ogx-ai/ogx/issues/5309",
    replies: [
      namedStream(
        created,
        added(textItem("", { content: [] })),
        textDelta("Hel"),
        textDelta("lo"),
        ended("completed", [textItem("Hello")]),
      ),
    ],
    expected: says("Hello"),
  },
  {
    name: "no `response.created`",
    seen: "https://github.com/ogx-ai/ogx/issues/5309",
    replies: [
      namedStream(
        added(textItem("", { content: [] })),
        textDelta("Hello"),
        done(textItem("Hello")),
        ended("completed", [textItem("Hello")]),
      ),
    ],
    expected: says("Hello"),
  },
  {
    name: "Ollama: closed while it thinks, and closed cleanly",
    seen: "https://github.com/ollama/ollama/issues/17118",
    replies: [
      namedStream(
        created,
        added({ id: "rs_1", type: "reasoning", summary: [] }),
        event("reasoning_summary_text.delta", { output_index: 0, item_id: "rs_1", delta: "Hm" }),
      ),
    ],
    expected: { exit: 0, text: "Done.", requests: 2 },
  },
  {
    name: "closed behind a whole call without the end: not run",
    seen: "https://github.com/openai/openai-agents-python/issues/19",
    replies: [
      namedStream(created, added(readItem({ name: "bash", arguments: "" })), jsonDelta('{"command":"touch x"}')),
    ],
    expected: { exit: 0, text: "Done.", requests: 2, ran: [] },
  },
  {
    name: "vLLM: `response.completed` whose status is `incomplete`",
    seen: "https://github.com/vllm-project/vllm/pull/45386",
    replies: [
      namedStream(
        created,
        added(textItem("", { content: [] })),
        textDelta("Half"),
        done(textItem("Half")),
        event("completed", {
          response: {
            status: "incomplete",
            incomplete_details: { reason: "max_output_tokens" },
            output: [textItem("Half")],
          },
        }),
      ),
    ],
    expected: { exit: 4, text: "Half", stop: "length" },
  },
  {
    name: "`response.incomplete` of the output limit",
    seen: "https://github.com/langchain-ai/langchain/issues/33840",
    replies: [
      namedStream(
        created,
        added(textItem("", { content: [] })),
        textDelta("Half"),
        ended("incomplete", [textItem("Half")], { incomplete_details: { reason: "max_output_tokens" } }),
      ),
    ],
    expected: { exit: 4, text: "Half", stop: "length" },
  },
  ...(["{}", "null", ""] as const).map(
    (placeholder): Row => ({
      name: `${JSON.stringify(placeholder)} in the first event of a call, and then the real arguments`,
      seen: "https://github.com/unslothai/unsloth/pull/10275",
      replies: [
        namedStream(
          created,
          added(readItem({ arguments: placeholder })),
          jsonDelta('{"path":'),
          jsonDelta('"a.md"}'),
          done(readItem()),
          ended("completed", [readItem()]),
        ),
      ],
      expected: oneRead,
    }),
  ),
  {
    name: "a fragment that is an object by itself",
    seen: "https://github.com/mcowger/plexus/pull/759",
    replies: [
      namedStream(
        created,
        added(readItem({ name: "bash", arguments: "" })),
        jsonDelta('{"command":"echo before '),
        jsonDelta("{}"),
        jsonDelta(' after"}'),
        done(readItem({ name: "bash", arguments: '{"command":"echo before {} after"}' })),
        ended("completed", []),
      ),
    ],
    expected: { exit: 0, calls: ['bash {"command":"echo before {} after"}'], ran: ["bash"] },
  },
  {
    name: "arguments that are an object in place of a text",
    seen: "https://github.com/unslothai/unsloth/pull/10275",
    replies: [namedStream(created, done(readItem({ arguments: { path: "a.md" } })), ended("completed", []))],
    expected: oneRead,
  },
  {
    name: "items without numbers",
    seen: "https://github.com/anomalyco/opencode/pull/45081",
    replies: [namedStream(created, done(readItem(), undefined), ended("completed", [readItem()]))],
    expected: oneRead,
  },
  {
    name: "an error of a gateway in the form of chat completions",
    seen: "https://github.com/ollama/ollama/issues/17118",
    replies: [stream([created, { error: { message: "upstream timed out", type: "server_error", code: 504 } }])],
    expected: { exit: 0, text: "Done.", requests: 2 },
  },
  {
    name: "`response.failed` with a limit of pace",
    seen: "https://github.com/ollama/ollama/issues/17118",
    replies: [
      namedStream(created, ended("failed", [], { error: { code: "server_error", message: "The model failed" } })),
    ],
    expected: { exit: 0, text: "Done.", requests: 2 },
  },
  {
    name: "an answer of nothing, twice",
    seen: "https://github.com/huggingface/speech-to-speech/pull/416",
    replies: [1, 2, 3].map(() => namedStream(created, ended("completed", []))),
    expected: { exit: 1, requests: 2 },
  },
  {
    name: "thinking alone, twice",
    seen: "https://github.com/ollama/ollama/issues/17118",
    replies: [1, 2, 3].map(() =>
      namedStream(
        created,
        done({ id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] }),
        ended("completed", []),
      ),
    ),
    expected: { exit: 1, requests: 2 },
  },
  {
    name: "a document for who asked for a stream",
    seen: "https://github.com/ogx-ai/ogx/issues/5464",
    replies: [
      document({ id: "resp_w", object: "response", status: "completed", output: [textItem("Hello")], error: null }),
    ],
    expected: says("Hello"),
  },
  {
    name: "data without the names of events, and `[DONE]`",
    seen: "https://github.com/ogx-ai/ogx/issues/5309",
    replies: [stream([created, done(textItem("Hello")), ended("completed", [textItem("Hello")]), "[DONE]"])],
    expected: says("Hello"),
  },
  {
    name: "no `output` and no counts at the end",
    seen: "https://github.com/huggingface/speech-to-speech/pull/416",
    replies: [
      namedStream(
        created,
        done(textItem("Hello")),
        event("completed", { response: { status: "completed", output: null, usage: null } }),
      ),
    ],
    expected: says("Hello"),
  },
];

/** What servers of the responses interface answer. */
export const responsesAnswers: readonly Oddity[] = rows.map((row) => ({ wire: "responses", ...row }));
