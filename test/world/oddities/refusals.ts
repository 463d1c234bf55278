import type { Recorded } from "../oddity.ts";

/** What a server says in place of an answer, and what the program makes of it. It runs over every protocol. */
export interface Refusal extends Recorded {
  readonly status: number;
  /** An object is sent as JSON, a text as it is. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: {
    /** Whether the same request is worth another try. */
    readonly isTransient?: boolean;
    /** Milliseconds that the server asks to wait. */
    readonly retryAfter?: number;
    /** Whether it means that the window is full. */
    readonly isOverflow?: boolean;
    /** Texts of the message; upper and lower case do not count. */
    readonly says?: readonly string[];
  };
}

const error = (message: string, rest: object = {}): object => ({ error: { message, ...rest } });

const gemini = (retryDelay: string, message: string): readonly object[] => [
  {
    error: {
      ...{ code: 429, status: "RESOURCE_EXHAUSTED", message },
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.QuotaFailure",
          violations: [{ quotaId: "GenerateContentInputTokensPerModelPerMinute-FreeTier", quotaValue: "250000" }],
        },
        {
          "@type": "type.googleapis.com/google.rpc.Help",
          links: [{ url: "https://ai.google.dev/gemini-api/docs/rate-limits" }],
        },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay },
      ],
    },
  },
];

const QUOTA =
  "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.";

const groq = (wait: string, limit = "tokens per minute (TPM): Limit 12000, Used 11000, Requested 3000"): object =>
  error(
    `Rate limit reached for model \`llama-3.3-70b-versatile\` in organization \`org_1\` service tier \`on_demand\` on ${limit}. Please try again in ${wait}. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`,
    { type: "tokens", code: "rate_limit_exceeded" },
  );

const waits: readonly Refusal[] = [
  {
    name: "Gemini: `RetryInfo` beside words about plan and billing",
    seen: "https://github.com/RooCodeInc/Roo-Code/issues/3883",
    status: 429,
    body: gemini("26s", QUOTA)[0],
    expected: { isTransient: true, retryAfter: 26_000 },
  },
  {
    name: "Gemini: the same in a list, with a fraction",
    seen: "https://github.com/dcdpr/jp/pull/1061",
    status: 429,
    body: gemini("45.837906927s", QUOTA),
    expected: { isTransient: true, retryAfter: 45_838 },
  },
  {
    name: "Gemini: the wait in the words alone",
    seen: "https://github.com/anomalyco/opencode/issues/49039",
    status: 429,
    body: error(
      `${QUOTA}\n* Quota exceeded for metric: generate_content_free_tier_requests, limit: 20\nPlease retry in 38.6s.`,
    ),
    expected: { isTransient: true, retryAfter: 38_600 },
  },
  {
    name: "Gemini behind a proxy: the document as a text within the message",
    seen: "https://github.com/continuedev/continue/issues/12205",
    status: 429,
    body: error(JSON.stringify(gemini("26s", QUOTA)[0], undefined, 2), { code: 429, status: "Too Many Requests" }),
    expected: { isTransient: true, retryAfter: 26_000 },
  },
  {
    name: "Groq: seconds with a fraction, and an address with `billing`",
    seen: "https://github.com/danielmiessler/Fabric/issues/364",
    status: 429,
    body: groq("50.597142857s"),
    expected: { isTransient: true, retryAfter: 50_597 },
  },
  {
    name: "Groq: milliseconds",
    seen: "https://github.com/danielmiessler/Fabric/issues/364",
    status: 429,
    body: groq("320ms"),
    expected: { isTransient: true, retryAfter: 320 },
  },
  {
    name: "Groq: minutes and seconds are for the user to decide on",
    seen: "https://github.com/continuedev/continue/issues/10920",
    status: 429,
    body: groq("9m38.016s", "tokens per day (TPD): Limit 100000, Used 97050, Requested 3619"),
    expected: { isTransient: false, retryAfter: 578_016 },
  },
  {
    name: "Groq: a minute and seconds",
    seen: "https://github.com/bklieger-groq/stockbot-on-groq/issues/46",
    status: 429,
    body: groq("1m47.5854s"),
    expected: { isTransient: false, retryAfter: 107_585 },
  },
  {
    name: "Azure: `retry after 3 seconds`",
    seen: "https://github.com/microsoft/action-python/issues/12",
    status: 429,
    body: error(
      "Requests to the Creates a completion for the chat message Operation under Azure OpenAI API version 2023-03-15-preview have exceeded call rate limit of your current OpenAI S0 pricing tier. Please retry after 3 seconds. Please go here: https://aka.ms/oai/quotaincrease if you would like to further increase the default rate limit.",
      { code: "429" },
    ),
    expected: { isTransient: true, retryAfter: 3000 },
  },
  {
    name: "Azure: `retry after 1 second`",
    seen: "https://github.com/openai/openai-node/issues/1108",
    status: 429,
    body: error(
      "Requests have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 1 second.",
    ),
    expected: { isTransient: true, retryAfter: 1000 },
  },
  {
    name: "OpenAI: a wait in a header beats the words",
    seen: "https://github.com/icereed/paperless-gpt/issues/814",
    status: 429,
    body: error("Please retry after 45 seconds."),
    headers: { "retry-after": "7" },
    expected: { isTransient: true, retryAfter: 7000 },
  },
  {
    name: "a header that is no number is none",
    seen: "https://github.com/earendil-works/pi/issues/9815",
    status: 429,
    body: error("Too many requests"),
    headers: { "retry-after": "soon" },
    expected: { isTransient: true },
  },
];

const money: readonly Refusal[] = [
  {
    name: "OpenAI: `insufficient_quota` is final",
    seen: "https://github.com/anomalyco/opencode/pull/50101",
    status: 429,
    body: error("You exceeded your current quota, please check your plan and billing details.", {
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
    expected: { isTransient: false, says: ["exceeded your current quota"] },
  },
  {
    name: "DeepSeek: 402",
    seen: "https://github.com/continuedev/continue/issues/9375",
    status: 402,
    body: error("Insufficient Balance", { type: "unknown_error", code: "invalid_request_error" }),
    expected: { isTransient: false, says: ["Insufficient Balance"] },
  },
  {
    name: "an error that is a text, with more beside it",
    seen: "https://github.com/PsycherosAI/Psycheros/issues/44",
    status: 402,
    body: { error: "Insufficient balance", requiredBalance: 0.0035, status: 402 },
    expected: { isTransient: false, says: ["Insufficient balance"] },
  },
  {
    name: "xAI: what was free is used up",
    seen: "https://github.com/Vanszs/VansRouter/pull/56",
    status: 429,
    body: { code: "subscription:free-usage-exhausted", error: "You've used all the included free usage" },
    expected: { says: ["used all the included free usage"] },
  },
  {
    name: "a limit a minute is no spent account, whatever its address says",
    seen: "https://github.com/diegosouzapw/OmniRoute/pull/9513",
    status: 429,
    body: error("Rate limit: 20 requests per minute. Add a payment method in the billing page to raise it."),
    expected: { isTransient: true },
  },
];

const fullWindows: readonly (readonly [string, string, number, unknown])[] = [
  [
    "GitHub Copilot",
    "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts",
    400,
    error("prompt token count of 137000 exceeds the limit of 128000", { code: "model_max_prompt_tokens_exceeded" }),
  ],
  [
    "Kimi",
    "https://github.com/open-octo/octo-agent/pull/2124",
    400,
    error("Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)", {
      type: "invalid_request_error",
    }),
  ],
  ["Zhipu", "https://github.com/open-octo/octo-agent/pull/2124", 400, error("Prompt 超长", { code: "1261" })],
  [
    "DashScope",
    "https://github.com/anomalyco/opencode/pull/45834",
    400,
    error("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]", {
      code: "invalid_parameter_error",
    }),
  ],
  [
    "Together",
    "https://github.com/openclaw/openclaw/issues/129352",
    400,
    error("The input (263000 tokens) is longer than the model's context length (262144 tokens)."),
  ],
  [
    "SGLang",
    "https://github.com/anomalyco/opencode/pull/25230",
    400,
    {
      object: "error",
      message:
        "Requested token count exceeds the model's maximum context length of 202752 tokens. You requested a total of 202941 tokens: 170941 tokens from the input messages and 32000 tokens for the completion.",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "an unknown server, in brackets",
    "https://github.com/earendil-works/pi/issues/5677",
    400,
    error("Input length (265330) exceeds model's maximum context length (262144)."),
  ],
  [
    "Poolside, GLM",
    "https://github.com/earendil-works/pi/issues/4943",
    400,
    error("Input length 131393 exceeds the maximum allowed input length of 131040 tokens.", { code: "400" }),
  ],
  [
    "llama.cpp",
    "https://github.com/DraconDev/pi-goal-list-loop-audit/pull/48",
    400,
    error("request (180283 tokens) exceeds the available context size (180224 tokens), try increasing it", {
      type: "exceed_context_size_error",
      n_prompt_tokens: 180283,
      n_ctx: 180224,
    }),
  ],
  [
    "LM Studio",
    "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts",
    400,
    {
      error:
        "Trying to keep the first 5000 tokens when context the overflows. However, the tokens to keep from the initial prompt is greater than the context length of only 4096 tokens",
    },
  ],
  [
    "MiniMax",
    "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts",
    400,
    error("invalid params, context window exceeds limit (2013)"),
  ],
  [
    "Mistral",
    "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts",
    400,
    {
      object: "error",
      message:
        "Prompt contains 137000 tokens and 0 draft tokens, too large for model with 131072 maximum context length",
      type: "invalid_request_error",
      code: 3051,
    },
  ],
  [
    "xAI",
    "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts",
    400,
    {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  ],
  [
    "Groq",
    "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts",
    400,
    error("Please reduce the length of the messages or completion.", { code: "context_length_exceeded" }),
  ],
  [
    "Gemini",
    "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts",
    400,
    [
      {
        error: {
          code: 400,
          status: "INVALID_ARGUMENT",
          message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
        },
      },
    ],
  ],
  [
    "Anthropic",
    "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 213462 tokens > 200000 maximum" },
    },
  ],
  [
    "Bedrock",
    "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts",
    400,
    { message: "Input is too long for requested model." },
  ],
  [
    "text-generation-inference",
    "https://github.com/huggingface/text-generation-inference/issues/695",
    422,
    {
      error: "Input validation error: `inputs` must have less than 4096 tokens. Given: 5012",
      error_type: "validation",
    },
  ],
  [
    "LiteLLM around OpenAI",
    "https://github.com/NVIDIA-NeMo/Switchyard/pull/314",
    400,
    error(
      "litellm.ContextWindowExceededError: litellm.BadRequestError: This model's maximum context length is 128000 tokens. However, your messages resulted in 137000 tokens.",
      { type: null, param: null, code: "400" },
    ),
  ],
];

const other: readonly Refusal[] = [
  {
    name: "Bedrock: `Too many tokens, please wait` is a limit of pace",
    seen: "https://github.com/jin-bo/agentao/pull/88",
    status: 429,
    body: { message: "ThrottlingException: Too many tokens, please wait before trying again." },
    expected: { isTransient: true, isOverflow: false },
  },
  {
    name: "a limit of tokens a minute is no full window",
    seen: "https://github.com/jin-bo/agentao/pull/88",
    status: 429,
    body: error("Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000.", {
      type: "tokens",
      code: "rate_limit_exceeded",
    }),
    expected: { isOverflow: false },
  },
  {
    name: "Groq: `tool_use_failed` is asked again, and the generation is shown",
    seen: "https://github.com/huggingface/smolagents/issues/1119",
    status: 400,
    body: error("Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", {
      ...{ type: "invalid_request_error", code: "tool_use_failed" },
      failed_generation: '<function=read_file={"path": "a.md"}</function>',
    }),
    expected: { isTransient: true, says: ["<function=read_file"] },
  },
  {
    name: "FastAPI: the words in `detail`",
    seen: "https://github.com/ray-project/ray/issues/64833",
    status: 404,
    body: { detail: 'Got request for model "m". Could not find base model with ID "m".' },
    expected: { isTransient: false, says: ["Could not find base model"] },
  },
  {
    name: "FastAPI: a list of problems in `detail`",
    seen: "https://github.com/vellum-ai/vellum-assistant/pull/35849",
    status: 422,
    body: { detail: [{ type: "missing", loc: ["body", "messages"], msg: "Field required", input: {} }] },
    expected: { says: ["Field required"] },
  },
  {
    name: "vLLM: the words beside `object: error`",
    seen: "https://github.com/vllm-project/vllm/issues/13513",
    status: 400,
    body: {
      object: "error",
      message: "The model does not support it",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    expected: { isTransient: false, says: ["The model does not support it"] },
  },
  {
    name: "an empty body",
    seen: "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/utils/overflow.ts",
    status: 500,
    body: "",
    expected: { isTransient: true, says: ["500"] },
  },
  {
    name: "a page of Cloudflare with 502",
    seen: "https://github.com/openclaw/openclaw/issues/129352",
    status: 502,
    body: "<!DOCTYPE html><html><head><title>502: Bad gateway</title></head><body>cf</body></html>",
    expected: { isTransient: true, says: ["502"] },
  },
  {
    name: "an address without what it serves: the address is shown",
    seen: "https://github.com/NousResearch/hermes-agent/issues/7516",
    status: 404,
    body: "404 page not found",
    expected: { isTransient: false, says: ["127.0.0.1"] },
  },
];

/** What servers say in place of an answer. */
export const refusals: readonly Refusal[] = [
  ...waits,
  ...money,
  ...fullWindows.map(
    ([name, seen, status, body]): Refusal => ({
      ...{ name: `${name}: the window is full`, seen, status, body },
      expected: { isOverflow: true },
    }),
  ),
  ...other,
];
