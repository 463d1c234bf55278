import type { Expected, Oddity } from "../oddity.ts";
import { call, chat, chunk, delta, document, finish, jsonOf, named, piece, stream } from "../wire-bodies.ts";

/** One call of a tool that reads a file, and a last answer behind it. */
const oneRead: Expected = {
  ...{ exit: 0, text: "Done.", requests: 2 },
  ...{ calls: ['read_file {"path":"a.md"}'], ran: ["read_file"] },
};

const JSON_TEXT = '{"path":"a.md"}';

const read = (json: unknown = JSON_TEXT, id = "c1"): object => call(0, named(id, "read_file", json));

/** Text that the answer has, and nothing else. */
const says = (text: string): Expected => ({ exit: 0, text, stop: "stop", requests: 1 });

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

type Row = Omit<Oddity, "wire">;

const ends: readonly Row[] = [
  {
    name: "Ollama: an empty reason in every chunk, and then a real one",
    seen: "https://github.com/ollama/ollama/issues/4357",
    replies: [
      chat(
        delta({ content: "Hel" }, { finish_reason: "" }),
        delta({ content: "lo" }, { finish_reason: "" }),
        finish("stop"),
      ),
    ],
    expected: says("Hello"),
  },
  {
    name: "SGLang: role, calls and stop are null and the reason is empty",
    seen: "https://github.com/sgl-project/sglang/issues/3912",
    replies: [
      chat(
        delta({ role: null, content: "Hello", tool_calls: null }, { finish_reason: "", matched_stop: null }),
        finish("stop"),
      ),
    ],
    expected: says("Hello"),
  },
  {
    name: "a gateway: an empty reason in every chunk before `tool_calls`, with the stub of an old call at the end",
    seen: "https://github.com/CangShui/workbuddy-gateway/pull/3",
    replies: [
      chat(
        delta({ content: "" }, { finish_reason: "" }),
        call(0, named("c1", "read_file", JSON_TEXT), { finish_reason: "" }),
        chunk({ delta: { function_call: { name: "", arguments: "" } }, finish_reason: "tool_calls" }),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "an empty reason is no end: the connection closes in mid-sentence",
    seen: "https://github.com/ollama/ollama/issues/4357",
    replies: [stream([delta({ content: "Half a" }, { finish_reason: "" })])],
    expected: { exit: 0, text: "Done.", requests: 2 },
  },
  {
    name: "an answer that broke off behind a whole call runs nothing",
    seen: "https://github.com/innate-inc/innate-os/pull/823",
    replies: [stream([call(0, named("c1", "bash", '{"command":"touch broken"}'), { finish_reason: "" })])],
    expected: { exit: 0, text: "Done.", requests: 2, ran: [] },
  },
  {
    name: "`length`, and then a chunk with an empty reason",
    seen: "https://github.com/sgl-project/sglang/issues/3912",
    replies: [chat(delta({ content: "Half" }), finish("length"), chunk({ delta: { content: "" }, finish_reason: "" }))],
    expected: { exit: 4, stop: "length" },
  },
  {
    name: "`tool_calls`, and then a chunk with `stop`",
    seen: "https://github.com/BerriAI/litellm/pull/27139",
    replies: [chat(read(), finish("tool_calls"), finish("stop"))],
    expected: oneRead,
  },
  {
    name: "`length` with the arguments of a call cut off: no call runs",
    seen: "https://github.com/14790897/MiqroForge-Desktop/pull/1100",
    replies: [chat(call(0, named("c1", "bash", '{"command":"touch cut')), finish("length"))],
    expected: { ran: [], failed: ["bash"] },
  },
  {
    name: "Open WebUI: `stop` with each chunk of thinking",
    seen: "https://github.com/open-webui/open-webui/issues/16377",
    replies: [
      chat(
        delta({ reasoning_content: "I " }, { finish_reason: "stop" }),
        delta({ reasoning_content: "plan." }, { finish_reason: "stop" }),
        delta({ content: "Hello" }),
        finish("stop"),
      ),
    ],
    expected: { ...says("Hello"), thinking: "I plan." },
  },
  {
    name: "proxies of Gemini: whole content and `[DONE]` without a reason",
    seen: "https://github.com/open-learning-exchange/planet/pull/10281",
    replies: [chat(delta({ content: "Hello" }))],
    expected: says("Hello"),
  },
  {
    name: "proxies of Gemini: a whole call and `[DONE]` without a reason",
    seen: "https://github.com/open-learning-exchange/planet/pull/10281",
    replies: [chat(read())],
    expected: oneRead,
  },
  {
    name: "MLC: no `[DONE]` behind the reason",
    seen: "https://github.com/mlc-ai/mlc-llm/issues/1300",
    replies: [stream([delta({ content: "Hello" }), finish("stop")])],
    expected: says("Hello"),
  },
  {
    name: "vLLM: the last content in the chunk of the reason",
    seen: "https://github.com/vllm-project/vllm/pull/36944",
    replies: [chat(delta({ content: "Hel" }), chunk({ delta: { content: "lo" }, finish_reason: "stop" }))],
    expected: says("Hello"),
  },
  ...["eos", "eos_token", "end", "end_turn", "stop_sequence", "STOP"].map(
    (reason): Row => ({
      name: `Together, LM Studio, OpenRouter and others: ${reason} for a good end`,
      seen: "https://github.com/openai/openai-dotnet/pull/267",
      replies: [chat(delta({ content: "Hello" }), finish(reason))],
      expected: { exit: 0, text: "Hello", requests: 1 },
    }),
  ),
  {
    name: "z.ai: `sensitive` is a refusal",
    seen: "https://github.com/earendil-works/pi/pull/1509",
    replies: [chat(finish("sensitive"))],
    expected: { exit: 1, stop: "refusal", requests: 1 },
  },
  {
    name: "z.ai: `network_error` is a failure that passes",
    seen: "https://github.com/earendil-works/pi/pull/1509",
    replies: [chat(delta({ content: "Ha" }), finish("network_error"))],
    expected: { exit: 0, text: "Done.", requests: 2 },
  },
  {
    name: "z.ai: `abort` of the server is no good end",
    seen: "https://github.com/earendil-works/pi/pull/1509",
    replies: [chat(delta({ content: "Ha" }), finish("abort"))],
    expected: { says: ["abort"] },
  },
  {
    name: "an unknown reason is a warning",
    seen: "https://github.com/simstudioai/sim/pull/6302",
    replies: [chat(delta({ content: "Hello" }), finish("escalation_of_things"))],
    expected: { exit: 0, text: "Hello", says: ["escalation_of_things"] },
  },
  {
    name: "`stop` where calls are: OpenVINO, MLX, Ollama",
    seen: "https://github.com/openvinotoolkit/model_server/issues/3927",
    replies: [chat(read(), finish("stop"))],
    expected: oneRead,
  },
  {
    name: "LocalAI: `tool_calls` without a call, and text",
    seen: "https://github.com/mudler/LocalAI/pull/4771",
    replies: [chat(delta({ content: "Hello" }), finish("tool_calls"))],
    expected: { exit: 0, text: "Done.", requests: 2 },
  },
  {
    name: "gcli2api: a good end of nothing, asked once more",
    seen: "https://github.com/su-kaka/gcli2api/pull/406",
    replies: [chat(finish("stop"))],
    expected: { exit: 0, text: "Done.", requests: 2 },
  },
  {
    name: "a good end of nothing, twice: said, and no success",
    seen: "https://github.com/su-kaka/gcli2api/pull/406",
    replies: [chat(finish("stop")), chat(finish("stop")), chat(finish("stop")), chat(finish("stop"))],
    expected: { exit: 1, requests: 2 },
  },
  {
    name: "thinking and nothing else, twice",
    seen: "https://github.com/nbramia/LifeOS/pull/568",
    replies: [1, 2, 3].map(() => chat(delta({ reasoning_content: "Hm." }), finish("stop"))),
    expected: { exit: 1, requests: 2 },
  },
  {
    name: "white space and nothing else is nothing",
    seen: "https://github.com/su-kaka/gcli2api/pull/406",
    replies: [1, 2, 3].map(() => chat(delta({ content: "\n\n" }), finish("stop"))),
    expected: { exit: 1, requests: 2 },
  },
  {
    name: "`tool_calls` and an empty list of calls, twice",
    seen: "https://github.com/mudler/LocalAI/pull/4771",
    replies: [1, 2, 3].map(() => chat(delta({ tool_calls: [] }), finish("tool_calls"))),
    expected: { exit: 1, requests: 2 },
  },
];

const shapes: readonly Row[] = [
  {
    name: "WebAI-to-API: `message` in place of `delta`",
    seen: "https://github.com/Amm1rr/WebAI-to-API/issues/55",
    replies: [chat(chunk({ message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }))],
    expected: says("Hello"),
  },
  {
    name: "`message` in place of `delta`, with a call",
    seen: "https://github.com/Amm1rr/WebAI-to-API/issues/55",
    replies: [
      chat(
        chunk({
          message: { role: "assistant", content: null, tool_calls: [named("c1", "read_file", JSON_TEXT)] },
          finish_reason: "tool_calls",
        }),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "Azure: a first chunk without choices, with the results of the filter",
    seen: "https://github.com/Mintplex-Labs/anything-llm/issues/1475",
    replies: [
      chat(
        { choices: [], created: 0, id: "", model: "", object: "", prompt_filter_results: [{ prompt_index: 0 }] },
        { choices: [{ delta: { content: "", role: "assistant" }, index: 0 }], object: "chat.completion.chunk" },
        { choices: [{ delta: { content: "Hello" }, index: 0 }] },
        { choices: [{ delta: {}, finish_reason: "stop", index: 0 }] },
      ),
    ],
    expected: says("Hello"),
  },
  {
    name: "a document for who asked for a stream",
    seen: "https://github.com/Amm1rr/WebAI-to-API/issues/55",
    replies: [
      document({
        choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
        usage,
      }),
    ],
    expected: says("Hello"),
  },
  {
    name: "a stream under `application/json`",
    seen: "https://github.com/langgenius/dify/issues/2144",
    replies: [{ body: chat(delta({ content: "Hello" }), finish("stop")), type: "application/json" }],
    expected: says("Hello"),
  },
  {
    name: "torchchat: a stream under `text/plain`",
    seen: "https://github.com/pytorch/torchchat/pull/955",
    replies: [{ body: chat(delta({ content: "Hello" }), finish("stop")), type: "text/plain; charset=utf-8" }],
    expected: says("Hello"),
  },
  {
    name: "DeepSeek behind a proxy: a stream under `application/octet-stream`",
    seen: "https://github.com/SaladDay/cc-switch-cli/issues/170",
    replies: [{ body: chat(delta({ content: "Hello" }), finish("stop")), type: "application/octet-stream" }],
    expected: says("Hello"),
  },
  {
    name: "a document under `text/event-stream`",
    seen: "https://github.com/Amm1rr/WebAI-to-API/issues/55",
    replies: [
      {
        body: JSON.stringify({
          choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
        }),
      },
    ],
    expected: says("Hello"),
  },
  {
    name: "a web page of a gateway with status 200 names the address",
    seen: "https://github.com/asciimoo/hister/issues/691",
    replies: [{ body: "<!doctype html><title>Sign in</title><p>Welcome", type: "text/html" }],
    expected: { exit: 1, says: ["text/html", "/v1/chat/completions"] },
  },
  {
    name: "an error in the first event, with status 200",
    seen: "https://github.com/anomalyco/opencode/issues/1018",
    replies: [
      `event: error\n${stream([{ error: { message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", type: "invalid_request_error", code: "tool_use_failed", failed_generation: "<function=read", status_code: 400 } }])}`,
    ],
    expected: { exit: 0, text: "Done.", requests: 2 },
  },
  {
    name: "the calls of an old interface",
    seen: "https://github.com/CangShui/workbuddy-gateway/pull/3",
    replies: [
      chat(
        delta({ function_call: { name: "read_file", arguments: "" } }),
        delta({ function_call: { arguments: '{"path":' } }),
        delta({ function_call: { arguments: '"a.md"}' } }),
        finish("function_call"),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "Mistral: content in a list, with thinking",
    seen: "https://docs.mistral.ai/capabilities/reasoning/",
    replies: [
      chat(
        delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "I plan." }] }] }),
        delta({ content: [{ type: "text", text: "Hello" }] }),
        finish("stop"),
      ),
    ],
    expected: { ...says("Hello"), thinking: "I plan." },
  },
  {
    name: "content and calls are null in every chunk but one",
    seen: "https://github.com/sgl-project/sglang/issues/3912",
    replies: [
      chat(
        delta({
          role: "assistant",
          content: null,
          reasoning_content: null,
          tool_calls: null,
          refusal: null,
          function_call: null,
        }),
        delta({ content: "Hello", reasoning_content: null, tool_calls: null, function_call: null }),
        chunk({ delta: { content: null, tool_calls: null }, finish_reason: "stop" }),
      ),
    ],
    expected: says("Hello"),
  },
  {
    name: "a choice that is null, and a delta that is null",
    seen: "https://github.com/sgl-project/sglang/issues/3912",
    replies: [
      chat({ choices: null }, { choices: [null] }, chunk({ delta: null }), delta({ content: "Hello" }), finish("stop")),
    ],
    expected: says("Hello"),
  },
];

const calls: readonly Row[] = [
  ...(["{}", "null", "{ }", "", "{}\n"] as const).map(
    (placeholder): Row => ({
      name: `Bedrock gateways: ${JSON.stringify(placeholder)} before the real arguments`,
      seen: "https://github.com/openai/openai-agents-js/pull/712",
      replies: [chat(read(placeholder), call(0, piece('{"path":')), call(0, piece('"a.md"}')), finish("tool_calls"))],
      expected: oneRead,
    }),
  ),
  {
    name: "an empty object, and then the whole object as a value",
    seen: "https://github.com/unslothai/unsloth/pull/10275",
    replies: [chat(read({}), call(0, piece({ path: "a.md" })), finish("tool_calls"))],
    expected: oneRead,
  },
  {
    name: "an empty object as a value, and then pieces of text",
    seen: "https://github.com/unslothai/unsloth/pull/10275",
    replies: [chat(read({}), call(0, piece('{"path":')), call(0, piece('"a.md"}')), finish("tool_calls"))],
    expected: oneRead,
  },
  {
    name: "xLAM in vLLM: all arguments once more at the end",
    seen: "https://github.com/vllm-project/vllm/issues/51697",
    replies: [
      chat(
        read(""),
        call(0, piece('{"path":')),
        call(0, piece('"a.md"}')),
        call(0, piece(JSON_TEXT)),
        finish("tool_calls"),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "each piece has all of the arguments so far",
    seen: "https://github.com/swuecho/chat/issues/687",
    replies: [
      chat(read('{"pa'), call(0, piece('{"path": "a')), call(0, piece('{"path": "a.md"}')), finish("tool_calls")),
    ],
    expected: oneRead,
  },
  {
    name: "an empty object within a text is no placeholder",
    seen: "https://github.com/mcowger/plexus/pull/759",
    replies: [
      chat(
        call(0, named("c1", "bash", '{"command":"echo before ')),
        call(0, piece("{}")),
        call(0, piece(' after"}')),
        finish("tool_calls"),
      ),
    ],
    expected: { exit: 0, calls: ['bash {"command":"echo before {} after"}'], ran: ["bash"] },
  },
  {
    name: "a real empty object stays one",
    seen: "https://github.com/vllm-project/vllm/pull/37098",
    replies: [chat(call(0, named("c1", "list_files", "{}")), finish("tool_calls"))],
    expected: { exit: 0, calls: ["list_files {}"], ran: ["list_files"] },
  },
  {
    name: "no arguments at all are an empty object",
    seen: "https://github.com/langchain-ai/langchainjs/pull/11319",
    replies: [chat(call(0, { id: "c1", type: "function", function: { name: "list_files" } }), finish("tool_calls"))],
    expected: { exit: 0, calls: ["list_files {}"], ran: ["list_files"] },
  },
  {
    name: "`arguments: null` are an empty object",
    seen: "https://github.com/vllm-project/vllm/issues/21046",
    replies: [chat(call(0, named("c1", "list_files", null)), finish("tool_calls"))],
    expected: { exit: 0, calls: ["list_files {}"], ran: ["list_files"] },
  },
  {
    name: "llama.cpp and vLLM: the first brace comes with the name",
    seen: "https://github.com/agentjido/req_llm/pull/801",
    replies: [
      chat(read("{"), call(0, piece('"path":"')), call(0, piece("a.md")), call(0, piece('"}')), finish("tool_calls")),
    ],
    expected: oneRead,
  },
  {
    name: "Poolside: an id that changes behind the first chunk",
    seen: "https://github.com/poolsideai/pool/issues/9",
    replies: [
      chat(
        read(""),
        call(0, { id: "c2", ...piece('{"path":') }),
        call(0, { id: "c2", ...piece('"a.md"}') }),
        finish("tool_calls"),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "an id that is new in every chunk of one index",
    seen: "https://github.com/poolsideai/pool/issues/9",
    replies: [
      chat(
        read(""),
        call(0, { id: "c2", ...piece('{"path":') }),
        call(0, { id: "c3", ...piece('"a.md"}') }),
        finish("tool_calls"),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "the id in every chunk",
    seen: "https://github.com/LionSR/TeXRA/pull/4575",
    replies: [
      chat(
        read(""),
        call(0, { id: "c1", ...piece('{"path":') }),
        call(0, { id: "c1", ...piece('"a.md"}') }),
        finish("tool_calls"),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "an empty id behind the first chunk, and an empty name",
    seen: "https://github.com/agentscope-ai/agentscope-java/pull/1223",
    replies: [
      chat(
        read(""),
        call(0, named("", "", '{"path":')),
        call(0, { id: null, type: "function", function: { name: null, arguments: '"a.md"}' } }),
        finish("tool_calls"),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "the last piece has the name and no id",
    seen: "https://github.com/agentscope-ai/agentscope-java/pull/1223",
    replies: [
      chat(
        read('{"path":"a.md"'),
        call(0, { id: null, type: "function", function: { name: "read_file", arguments: "}" } }),
        finish("tool_calls"),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "vLLM with speculative decoding: two pieces of one call in one chunk",
    seen: "https://github.com/openai/openai-python/issues/3201",
    replies: [
      chat(
        delta({
          tool_calls: [
            { index: 0, ...named("c1", "read_file") },
            { index: 0, ...piece('{"path":') },
          ],
        }),
        call(0, piece('"a.md"}')),
        finish("tool_calls"),
      ),
    ],
    expected: oneRead,
  },
  {
    name: "Gemini: no index",
    seen: "https://github.com/openai/openai-python/issues/2806",
    replies: [chat(call(undefined, named("c1", "read_file", JSON_TEXT)), finish("tool_calls"))],
    expected: oneRead,
  },
  {
    name: "an index in the first chunk alone, then the id",
    seen: "https://github.com/diegosouzapw/OmniRoute/pull/6905",
    replies: [chat(read('{"path":'), call(undefined, { id: "c1", ...piece('"a.md"}') }), finish("tool_calls"))],
    expected: oneRead,
  },
  {
    name: "Bedrock: an index of -1",
    seen: "https://github.com/openai/openai-go/pull/822",
    replies: [chat(call(-1, named("c1", "read_file", '{"path":')), call(-1, piece('"a.md"}')), finish("tool_calls"))],
    expected: oneRead,
  },
  ...([0, undefined] as const).map(
    (index): Row => ({
      name: `Ollama, Gemini: several whole calls of index ${index}, each with an id`,
      seen: "https://github.com/LibreChat-AI/agents/pull/260",
      replies: [
        chat(
          call(index, named("c1", "read_file", JSON_TEXT)),
          call(index, named("c2", "list_files", "{}")),
          finish("tool_calls"),
        ),
      ],
      expected: { exit: 0, calls: ['read_file {"path":"a.md"}', "list_files {}"], ran: ["read_file", "list_files"] },
    }),
  ),
  {
    name: "Gemini: several whole calls of index 0 without ids",
    seen: "https://github.com/su-kaka/gcli2api/pull/406",
    replies: [
      chat(
        call(0, { type: "function", function: { name: "read_file", arguments: JSON_TEXT } }),
        call(0, { type: "function", function: { name: "list_files", arguments: "{}" } }),
        finish("tool_calls"),
      ),
    ],
    expected: { exit: 0, calls: ['read_file {"path":"a.md"}', "list_files {}"], ran: ["read_file", "list_files"] },
  },
  {
    name: "calls that arrive interleaved",
    seen: "https://github.com/diegosouzapw/OmniRoute/pull/6905",
    replies: [
      chat(
        read('{"pa'),
        call(1, named("c2", "list_files", "{")),
        call(0, piece('th":"a.md"}')),
        call(1, piece("}")),
        finish("tool_calls"),
      ),
    ],
    expected: { exit: 0, calls: ['read_file {"path":"a.md"}', "list_files {}"], ran: ["read_file", "list_files"] },
  },
  {
    name: "two calls with one id: both run, and their results have ids of their own",
    seen: "https://github.com/LibreChat-AI/agents/pull/260",
    replies: [chat(read(), call(1, named("c1", "list_files", "{}")), finish("tool_calls"))],
    expected: { exit: 0, ran: ["read_file", "list_files"] },
  },
  {
    name: "MiniMax: arguments that are no JSON are answered with an error, and the prompt goes on",
    seen: "https://github.com/MiniMax-AI/MiniMax-M2/issues/109",
    replies: [chat(read('{"path": a.md}'), finish("tool_calls"))],
    expected: { exit: 0, ran: [], failed: ["read_file"], text: "Done." },
  },
];

const thinking: readonly Row[] = [
  ...(["reasoning_content", "reasoning", "reasoning_text"] as const).map(
    (field): Row => ({
      name: `thinking as ${field}`,
      seen: "https://github.com/vllm-project/vllm/issues/45687",
      replies: [
        chat(delta({ [field]: "I " }), delta({ [field]: "plan." }), delta({ content: "Hello" }), finish("stop")),
      ],
      expected: { ...says("Hello"), thinking: "I plan." },
    }),
  ),
  {
    name: "thinking under two names at once counts once",
    seen: "https://github.com/vllm-project/vllm/issues/45687",
    replies: [
      chat(delta({ reasoning: "I plan.", reasoning_content: "I plan." }), delta({ content: "Hello" }), finish("stop")),
    ],
    expected: { ...says("Hello"), thinking: "I plan." },
  },
  {
    name: "`<think>` as text",
    seen: "https://github.com/continuedev/continue/pull/8901",
    replies: [chat(delta({ content: "<think>I plan.</think>Hello" }), finish("stop"))],
    expected: { ...says("Hello"), thinking: "I plan." },
  },
  {
    name: "`<think>` cut within its tags, with line breaks around",
    seen: "https://github.com/BerriAI/litellm/pull/14121",
    replies: [
      chat(
        ...["\n<th", "ink>", "\nI pl", "an.\n</", "thi", "nk>\n\n", "Hel", "lo"].map((content) => delta({ content })),
        finish("stop"),
      ),
    ],
    expected: { ...says("Hello") },
  },
  {
    name: "the words of `<think>` within an answer are text",
    seen: "https://github.com/nbramia/LifeOS/pull/568",
    replies: [chat(delta({ content: "Write `<think>a</think>` around it." }), finish("stop"))],
    expected: { ...says("Write `<think>a</think>` around it."), thinking: "" },
  },
  {
    name: "`<think>` before a call goes with it",
    seen: "https://github.com/waybarrios/vllm-mlx/pull/33",
    replies: [chat(delta({ content: "<think>I look.</think>\n" }), read(), finish("tool_calls"))],
    expected: { ...oneRead, thinking: "I look." },
  },
  {
    name: "`<think>` that never ends is thinking alone",
    seen: "https://github.com/nbramia/LifeOS/pull/568",
    replies: [1, 2, 3].map(() => chat(delta({ content: "<think>I plan and plan" }), finish("stop"))),
    expected: { exit: 1, requests: 2 },
  },
  {
    name: "thinking as `reasoning_content` goes back in that field",
    seen: "https://github.com/JohnnyZ93/oai-compatible-copilot/issues/215",
    replies: [chat(delta({ reasoning_content: "I look." }), read(), finish("tool_calls"))],
    model: "openai/kimi-k2-thinking",
    expected: { ...oneRead, sent: ([, second]) => jsonOf(second).includes('"reasoning_content":"I look."') },
  },
  {
    name: "thinking as `reasoning` goes back in that field",
    seen: "https://github.com/vllm-project/vllm/issues/45687",
    replies: [chat(delta({ reasoning: "I look." }), read(), finish("tool_calls"))],
    model: "openai/gpt-oss-120b",
    expected: {
      ...oneRead,
      sent: ([, second]) => {
        const text = jsonOf(second);
        return !text.includes("reasoning_content") && text.includes('"reasoning":"I look."');
      },
    },
  },
  {
    name: "no `content: null` beside calls for servers that are not OpenAI's",
    seen: "https://github.com/noho/dayu-agent/pull/57",
    replies: [chat(read(), finish("tool_calls"))],
    expected: { ...oneRead, sent: ([, second]) => !jsonOf(second).includes('"content":null') },
  },
];

const counts: readonly Row[] = [
  {
    name: "llama.cpp: counts beside a reason, without a chunk of their own",
    seen: "https://github.com/ggml-org/llama.cpp/pull/15444",
    replies: [chat(delta({ content: "Hello" }), finish("stop", { usage, timings: { prompt_n: 1 } }))],
    expected: says("Hello"),
  },
  {
    name: "counts in every chunk, also before the content",
    seen: "https://github.com/ggml-org/llama.cpp/pull/15444",
    replies: [
      chat(
        chunk({ delta: { role: "assistant" } }, { usage }),
        chunk({ delta: { content: "Hello" } }, { usage }),
        finish("stop", { usage }),
      ),
    ],
    expected: says("Hello"),
  },
  {
    name: "a chunk of counts without choices before the content",
    seen: "https://github.com/ggml-org/llama.cpp/pull/15444",
    replies: [chat({ choices: [], usage }, delta({ content: "Hello" }), finish("stop"))],
    expected: says("Hello"),
  },
  {
    name: "counts that are null, negative or texts",
    seen: "https://github.com/zai-org/GLM-5/issues/139",
    replies: [
      chat(
        delta({ content: "Hello" }),
        finish("stop", {
          usage: { prompt_tokens: null, completion_tokens: -1, total_tokens: "7", prompt_tokens_details: null },
        }),
      ),
    ],
    expected: says("Hello"),
  },
];

/** What servers of chat completions answer. */
export const chatAnswers: readonly Oddity[] = [...ends, ...shapes, ...calls, ...thinking, ...counts].map((row) => ({
  wire: "openai",
  ...row,
}));
