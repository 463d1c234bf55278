import { answerEvents } from "../../support/anthropic-replies.ts";
import { answerChunks } from "../../support/openai-replies.ts";
import type { Body, Expected, Oddity } from "../oddity.ts";
import { call, chat, delta, finish, jsonOf, named, namedStream, refusal } from "../wire-bodies.ts";

const error = (message: string, rest: object = {}): object => ({ error: { message, ...rest } });

const done: Expected = { exit: 0, text: "Done.", requests: 2 };

/** Whether a body says that of a field; undefined: it has none. */
const has = (body: Body | undefined, field: string, value: unknown): boolean =>
  body !== undefined && JSON.stringify(body[field]) === JSON.stringify(value);

const fields: readonly Oddity[] = [
  ...(
    [
      [
        "new-api",
        "https://github.com/QuantumNous/new-api/issues/418",
        error("Unknown parameter: 'stream_options'. (request id: 1)", {
          type: "invalid_request_error",
          param: "stream_options",
          code: "unknown_parameter",
        }),
      ],
      [
        "vLLM",
        "https://github.com/modelscope/ms-agent/issues/489",
        {
          object: "error",
          message:
            "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {}}]",
          type: "BadRequestError",
          param: null,
          code: 400,
        },
      ],
      [
        "Azure",
        "https://github.com/CherryHQ/cherry-studio/issues/9214",
        {
          detail:
            "Extra parameters ['stream_options'] are not allowed when extra-parameters is not set or set to be 'error'. Set extra-parameters to 'pass-through' to pass to the model.",
        },
      ],
    ] as const
  ).map(
    ([server, seen, body]): Oddity => ({
      ...{ name: `${server}: \`stream_options\` is refused`, seen, wire: "openai" },
      replies: [refusal(400, body)],
      expected: {
        ...{ ...done, says: ["stream_options"] },
        sent: ([first, second]) => !has(first, "stream_options", undefined) && has(second, "stream_options", undefined),
      },
    }),
  ),
  {
    ...{ name: "an optional field is left out once and for all", wire: "openai" },
    seen: "https://github.com/QuantumNous/new-api/issues/418",
    replies: [
      refusal(400, error("Unknown parameter: 'stream_options'.", { param: "stream_options" })),
      chat(call(0, named("c1", "read_file", '{"path":"a.md"}')), finish("tool_calls")),
    ],
    expected: {
      exit: 0,
      requests: 3,
      ran: ["read_file"],
      sent: ([, , third]) => has(third, "stream_options", undefined),
    },
  },
  {
    ...{ name: "other names than OpenAI's get `max_tokens`", wire: "openai", flags: ["--max-tokens", "1000"] },
    seen: "https://github.com/voideditor/void/issues/128",
    replies: [],
    expected: {
      exit: 0,
      sent: ([body]) => has(body, "max_tokens", 1000) && has(body, "max_completion_tokens", undefined),
    },
  },
  {
    ...{ name: "`max_tokens` is refused with the name to use", wire: "openai", flags: ["--max-tokens", "1000"] },
    seen: "https://github.com/caozhiyuan/copilot-api/issues/164",
    replies: [
      refusal(
        400,
        error(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          { code: "invalid_request_body" },
        ),
      ),
    ],
    expected: {
      ...done,
      sent: ([, body]) => has(body, "max_tokens", undefined) && has(body, "max_completion_tokens", 1000),
    },
  },
  {
    ...{ name: "vLLM: `max_completion_tokens` is refused", wire: "openai", flags: ["--max-tokens", "1000"] },
    seen: "https://github.com/voideditor/void/issues/128",
    model: "openai/gpt-5-proxy",
    environment: { LLM_PROVIDER_CONFIG: '{"api":"chat"}' },
    replies: [
      refusal(400, {
        object: "error",
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted', 'input': 8192}]",
        type: "BadRequestError",
        param: null,
        code: 400,
      }),
    ],
    expected: {
      ...done,
      sent: ([, body]) => has(body, "max_completion_tokens", undefined) && has(body, "max_tokens", 1000),
    },
  },
  ...(["openai", "responses"] as const).map(
    (wire): Oddity => ({
      ...{ name: "a temperature is refused", wire, flags: ["--temp", "0.16"] },
      seen: "https://github.com/decolua/9router/issues/560",
      model: { openai: "openai/m", responses: "openai/gpt-4.1" }[wire],
      replies: [
        refusal(
          400,
          error(
            "Unsupported value: 'temperature' does not support 0.16 with this model. Only the default (1) value is supported.",
            { type: "invalid_request_error", param: "temperature", code: "unsupported_value" },
          ),
        ),
      ],
      expected: {
        ...{ ...done, says: ["temperature"] },
        sent: ([first, second]) => has(first, "temperature", 0.16) && has(second, "temperature", undefined),
      },
    }),
  ),
  {
    ...{ name: "a refusal that no field can help is final, with its words", wire: "openai", flags: ["--temp", "0.3"] },
    seen: "https://github.com/basketikun/chatgpt2api/pull/171",
    replies: [refusal(400, error("Your prompt was rejected by the moderation"))],
    expected: { exit: 1, requests: 1, says: ["Your prompt was rejected by the moderation"] },
  },
];

/** Beside a request that fills a part of the window, a program may leave some of it free. */
const fits = (tokens: number, limit: number): boolean =>
  tokens === limit || (limit === ROOM && tokens < limit && tokens > limit / 4);

const ROOM = 31768;

const limits: readonly Oddity[] = (
  [
    [
      "OpenAI",
      "https://github.com/tailcallhq/forgecode/issues/1185",
      16384,
      error(
        "max_tokens is too large: 64000. This model supports at most 16384 completion tokens, whereas you provided 64000.",
        { type: "invalid_request_error", param: "max_tokens", code: "invalid_value" },
      ),
    ],
    [
      "a gateway, in `param`",
      "https://github.com/AQBot-Desktop/AQBot/issues/93",
      32768,
      error("Param Incorrect", {
        type: "upstream_error",
        param:
          "max_tokens is too large: 64000. This model supports at most 32768 completion tokens, whereas you provided 64000.",
        code: "400",
      }),
    ],
    [
      "Groq",
      "https://github.com/anomalyco/opencode/issues/1000",
      16384,
      error(
        "`max_tokens` must be less than or equal to `16384`, the maximum value for `max_tokens` is less than the `context_window` for this model",
        { type: "invalid_request_error" },
      ),
    ],
    [
      "Ollama",
      "https://github.com/MoonshotAI/kimi-code/issues/1148",
      32000,
      error("max_tokens (64000) exceeds model's maximum output tokens (32000) for model m"),
    ],
    [
      "Volcano",
      "https://github.com/Gitlawb/openclaude/issues/331",
      12288,
      error(
        "The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 12288, but got 64000 instead. Request id: 0217",
        { code: "InvalidParameter", param: "max_tokens", type: "BadRequest" },
      ),
    ],
    [
      "DeepSeek",
      "https://github.com/Gitlawb/openclaude/issues/35",
      8192,
      error("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", {
        type: "invalid_request_error",
        code: "invalid_request_error",
      }),
    ],
    [
      "Anthropic's words",
      "https://github.com/chathub-dev/chathub/issues/1222",
      8192,
      error("max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-test", {
        type: "invalid_request_error",
      }),
    ],
    [
      "text-generation-inference",
      "https://github.com/huggingface/chat-ui/issues/340",
      ROOM,
      {
        error:
          "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32768. Given: 1000 `inputs` tokens and 64000 `max_new_tokens`",
        error_type: "validation",
      },
    ],
  ] as const
).flatMap(([server, seen, limit, body]): readonly Oddity[] =>
  (["openai", "anthropic"] as const).map((wire) => ({
    ...{ name: `${server}: the answer may be no longer than ${limit} tokens`, seen, wire },
    flags: ["--max-tokens", "64000"],
    replies: [refusal(400, body)],
    expected: { ...done, sent: ([, second]) => fits(Number(second?.["max_tokens"]), limit) },
  })),
);

const thinking: readonly Oddity[] = [
  {
    ...{ name: "DeepSeek: thinking is missing in a call that had none", wire: "openai" },
    seen: "https://github.com/abhigyanpatwari/GitNexus/issues/43",
    replies: [
      chat(call(0, named("c1", "read_file", '{"path":"a.md"}')), finish("tool_calls")),
      refusal(
        400,
        error(
          "Missing `reasoning_content` field in the assistant message at message index 2. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls",
        ),
      ),
    ],
    expected: {
      exit: 0,
      text: "Done.",
      requests: 3,
      sent: ([, , third]) => jsonOf(third).includes('"reasoning_content"'),
    },
  },
  {
    ...{ name: "a gateway: thinking came as `reasoning`, and is wanted as `reasoning_content`", wire: "openai" },
    seen: "https://github.com/smallmain/vscode-unify-chat-provider/issues/286",
    replies: [
      chat(delta({ reasoning: "I look." }), call(0, named("c1", "read_file", '{"path":"a.md"}')), finish("tool_calls")),
      refusal(
        400,
        error(
          "Error from provider (Console): Upstream request failed: [invalid_request_error] The reasoning_content in the thinking mode must be passed back to the API.",
        ),
      ),
    ],
    expected: {
      ...{ exit: 0, text: "Done.", requests: 3 },
      sent: ([, , third]) => jsonOf(third).includes('"reasoning_content":"I look."'),
    },
  },
];

const calls: readonly Oddity[] = [
  {
    ...{ name: "Groq: `tool_use_failed` without end: asked again, and then shown", wire: "openai" },
    seen: "https://github.com/huggingface/smolagents/issues/1119",
    replies: Array.from({ length: 6 }, () =>
      refusal(
        400,
        error("Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", {
          type: "invalid_request_error",
          code: "tool_use_failed",
          failed_generation: "<function=odd_thing>",
        }),
      ),
    ),
    expected: { exit: 1, requests: 3, says: ["<function=odd_thing>"] },
  },
];

/** The bytes of a PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const imagesOf = (body: Body | undefined): number =>
  (jsonOf(body).match(/"type":"(?:image|image_url|input_image)"/g) ?? []).length;

const images: readonly Oddity[] = (
  [
    [
      "vLLM",
      "https://github.com/vllm-project/vllm/issues/17092",
      2,
      {
        object: "error",
        message: "At most 2 image(s) may be provided in one request.",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
    ],
  ] as const
).map(
  ([server, seen, most, body]): Oddity => ({
    ...{ name: `${server}: no more than ${most} images: the oldest leave`, seen, wire: "openai" },
    files: { "p.png": `base64:${PIXEL}` },
    replies: [
      chat(
        ...[0, 1, 2].map((index) => call(index, named(`c${index}`, "read_file", '{"path":"p.png"}'))),
        finish("tool_calls"),
      ),
      refusal(400, body),
    ],
    expected: {
      ...{ exit: 0, text: "Done.", requests: 3 },
      sent: ([, second, third]) => imagesOf(second) === 3 && imagesOf(third) <= most && imagesOf(third) > 0,
    },
  }),
);

const windows: readonly Oddity[] = [
  {
    ...{ name: "Kimi: a full window behind a long result: summarised, and the prompt goes on", wire: "openai" },
    seen: "https://github.com/open-octo/octo-agent/pull/2124",
    replies: [
      chat(call(0, named("c1", "read_file", '{"path":"big.txt"}')), finish("tool_calls")),
      refusal(400, error("Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)")),
    ],
    files: { "big.txt": "word ".repeat(20_000) },
    expected: { exit: 0 },
  },
  {
    ...{ name: "a window that is full for good names the limit in the words of the server", wire: "anthropic" },
    seen: "https://github.com/openclaw/openclaw/issues/129352",
    replies: Array.from({ length: 8 }, () => refusal(400, error("prompt is too long: 213462 tokens > 200000 maximum"))),
    expected: { exit: 4, says: ["213462"] },
  },
];

const streams: readonly Oddity[] = [
  {
    ...{ name: "a limit of pace in mid-stream is asked again", wire: "openai" },
    seen: "https://github.com/rynfar/meridian/pull/185",
    replies: [
      chat(delta({ content: "Ha" }), { error: { message: "Rate limit reached", code: "rate_limit_exceeded" } }),
    ],
    expected: done,
  },
  {
    ...{ name: "OpenRouter: a failure of the vendor in mid-stream", wire: "openai" },
    seen: "https://openrouter.ai/docs/api-reference/errors",
    replies: [
      chat(delta({ content: "Ha" }), {
        error: { code: 502, message: "Provider returned error" },
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
      }),
    ],
    expected: done,
  },
  {
    ...{ name: "a body that ends at once, and a good one", wire: "openai" },
    seen: "https://github.com/MiniMax-AI/MiniMax-M2/issues/109",
    replies: [""],
    expected: done,
  },
  {
    ...{ name: "`--no-stream`, and a stream all the same", wire: "openai", flags: ["--no-stream"] },
    seen: "https://github.com/langgenius/dify/issues/2144",
    replies: [chat(...answerChunks([{ text: ["Hello"] }]))],
    expected: { exit: 0, text: "Hello", requests: 1 },
  },
  {
    ...{ name: "`--no-stream`, and a stream all the same", wire: "anthropic", flags: ["--no-stream"] },
    seen: "https://github.com/qbit-ai/qbit/pull/149",
    replies: [namedStream(...answerEvents([{ text: ["Hello"] }]))],
    expected: { exit: 0, text: "Hello", requests: 1 },
  },
];

const KEYS = "https://github.com/NousResearch/hermes-agent/issues/7516";

/** Addresses as people write them, and the path that is meant. */
const addresses: readonly Oddity[] = (
  [
    ["Ollama without `/v1`", KEYS, "ollama/m", { OLLAMA_BASE_URL: "$url" }, "/v1/chat/completions"],
    ["Ollama with a slash at its end", KEYS, "ollama/m", { OLLAMA_BASE_URL: "$url/" }, "/v1/chat/completions"],
    [
      "Ollama's own interface",
      "https://github.com/feiskyer/chatgpt-copilot/issues/659",
      "ollama/m",
      { OLLAMA_BASE_URL: "$url/api" },
      "/v1/chat/completions",
    ],
    [
      "Anthropic with `/v1`",
      "https://github.com/decolua/9router/issues/355",
      "anthropic/claude-test",
      { ANTHROPIC_BASE_URL: "$url/v1" },
      "/v1/messages",
    ],
    [
      "Anthropic with the whole path",
      "https://github.com/decolua/9router/issues/355",
      "anthropic/claude-test",
      { ANTHROPIC_BASE_URL: "$url/v1/messages" },
      "/v1/messages",
    ],
    [
      "z.ai's endpoint for Anthropic's interface",
      "https://github.com/raine/claude-code-proxy/pull/34",
      "anthropic/glm",
      { ANTHROPIC_BASE_URL: "$url/api/anthropic" },
      "/api/anthropic/v1/messages",
    ],
    [
      "OpenAI with the whole path",
      "https://github.com/teabranch/open-responses-server/issues/16",
      "openai/m",
      { OPENAI_BASE_URL: "$url/v1/chat/completions" },
      "/v1/chat/completions",
    ],
    [
      "responses with the whole path",
      "https://github.com/teabranch/open-responses-server/issues/16",
      "openai/gpt-test",
      { OPENAI_BASE_URL: "$url/v1/responses/" },
      "/v1/responses",
    ],
    [
      "z.ai's version 4",
      "https://github.com/earendil-works/pi/pull/358",
      "openai/glm",
      { OPENAI_BASE_URL: "$url/api/coding/paas/v4" },
      "/api/coding/paas/v4/chat/completions",
    ],
    [
      "Gemini's own path",
      "https://github.com/openai/openai-python/issues/2806",
      "gemini/gemini-test",
      { GEMINI_BASE_URL: "$url/v1beta/openai/" },
      "/v1beta/openai/chat/completions",
    ],
  ] as const
).map(([name, seen, model, environment, path]): Oddity => {
  const wire = model.startsWith("anthropic") ? "anthropic" : model === "openai/gpt-test" ? "responses" : "openai";
  return { name, seen, model, environment, wire, replies: [], expected: { exit: 0, text: "Done.", paths: [path] } };
});

/** What prompts survive. */
export const prompts: readonly Oddity[] = [
  ...fields,
  ...limits,
  ...thinking,
  ...calls,
  ...images,
  ...windows,
  ...streams,
  ...addresses,
];
