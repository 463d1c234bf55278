import { expect, test } from "bun:test";
import { refusedRequest } from "../../../../test/support/refused-request.ts";
import { fullWindows, saysFullWindow } from "./full-window.ts";

/** What servers answer to a request that does not fit, and where that was seen: a project whose code, tests or reports have it. */
const samples: readonly (readonly [server: string, words: string, source: string])[] = [
  ["OpenAI", "context_length_exceeded", "openai/codex"],
  [
    "OpenAI",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "openai/codex",
  ],
  [
    "OpenAI",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    "BerriAI/litellm",
  ],
  [
    "OpenAI",
    "Invalid 'input[3].output': string too long. Expected a string with maximum length 10485760, but got a string with length 10492231 instead.",
    "openai/codex",
  ],
  [
    "Azure",
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens.",
    "BerriAI/litellm",
  ],
  ["Anthropic", "prompt is too long: 210000 tokens > 200000 maximum", "anthropics/claude-code"],
  [
    "Anthropic",
    "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000",
    "anthropics/claude-code",
  ],
  ["Anthropic", "request_too_large Request exceeds the maximum size", "earendil-works/pi"],
  ["Anthropic", "Request exceeds the maximum allowed number of bytes", "anthropics/claude-code"],
  ["z.ai (GLM)", "model_context_window_exceeded", "earendil-works/pi"],
  [
    "llama-index",
    "Your input is too long. Max input length is 4096 tokens, but you supplied 5441 tokens.",
    "run-llama/llama_index",
  ],
  ["LM Studio", "Context size has been exceeded.", "lmstudio-ai/lmstudio-bug-tracker"],
  ["z.ai (GLM)", "1261 Prompt exceeds max length", "anomalyco/opencode"],
  ["z.ai (GLM)", "1261 Prompt 超长", "anomalyco/opencode"],
  ["z.ai (GLM)", "Prompt too long", "earendil-works/pi"],
  ["Amazon Bedrock", "ValidationException: Input is too long for requested model.", "BerriAI/litellm"],
  [
    "Amazon Bedrock",
    "Too many input tokens. Max input tokens: 8192, request input token count: 9000",
    "BerriAI/litellm",
  ],
  [
    "Gemini",
    "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
    "google-gemini/gemini-cli",
  ],
  ["Gemini", "Request payload size exceeds the limit: 20971520 bytes.", "google-gemini/gemini-cli"],
  [
    "Vertex AI",
    "Unable to submit request because the input token count is 1200000 but model only supports up to 1048576.",
    "google-gemini/gemini-cli",
  ],
  ["GitHub Copilot", "prompt token count of 137000 exceeds the limit of 128000", "earendil-works/pi"],
  ["GitHub Copilot", "model_max_prompt_tokens_exceeded", "microsoft/vscode"],
  ["GitHub Copilot", "Prompt token count of 4662 exceeds max token count of 4095", "danny-avila/LibreChat"],
  [
    "GitHub Models",
    "tokens_limit_reached Request body too large for gpt-4o model. Max size: 8000 tokens.",
    "github/models",
  ],
  ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", "earendil-works/pi"],
  ["Groq, Cerebras", "Please reduce the length of the messages or completion.", "BerriAI/litellm"],
  ["Cerebras", "Current length is 8338 while limit is 8192", "BerriAI/litellm"],
  [
    "Mistral",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "BerriAI/litellm",
  ],
  [
    "Moonshot (Kimi)",
    "Invalid request: Your request exceeded model token limit: 262144 (requested: 270000)",
    "earendil-works/pi",
  ],
  [
    "Alibaba (Qwen)",
    "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
    "QwenLM/qwen-code",
  ],
  ["MiniMax", "invalid params, context window exceeds limit (2013)", "MiniMax-AI/MiniMax-M2"],
  ["MiniMax", "invalid params: total tokens exceed the model's maximum limit", "MiniMax-AI/MiniMax-M2"],
  [
    "DeepSeek",
    "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (70000 in the messages, 0 in the completion).",
    "deepseek-ai/DeepSeek-V3",
  ],
  ["Volcengine (Doubao)", "Total tokens of image and text exceed max message tokens", "volcengine/ai-app-lab"],
  ["Volcengine (Doubao)", "Input length 140000 exceeds the maximum length 131072", "volcengine/ai-app-lab"],
  ["Baidu (Qianfan)", "Prompt tokens too long", "baidubce/bce-qianfan-sdk"],
  ["Baidu (Qianfan)", "the max input characters is 11200", "baidubce/bce-qianfan-sdk"],
  ["iFlytek (Spark), Tencent (Hunyuan)", "token数量超过上限", "songquanpeng/one-api"],
  ["iFlytek (Spark), Tencent (Hunyuan)", "输入内容长度超过限制", "songquanpeng/one-api"],
  [
    "Together, SGLang",
    "The input (210000 tokens) is longer than the model's context length (200000 tokens).",
    "sgl-project/sglang",
  ],
  [
    "Together, SGLang",
    "Requested token count exceeds the model's maximum context length of 131072 tokens.",
    "sgl-project/sglang",
  ],
  [
    "text-generation-inference",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 20 `max_new_tokens`",
    "huggingface/text-generation-inference",
  ],
  [
    "text-generation-inference",
    "Input validation error: inputs tokens + max_new_tokens must be <= 131073",
    "togethercomputer/together-python",
  ],
  [
    "text-generation-inference",
    "Input validation error: `inputs` must have less than 4095 tokens. Given: 5000",
    "huggingface/text-generation-inference",
  ],
  [
    "vLLM",
    "The decoder prompt (length 163840) is longer than the maximum model length of 131072.",
    "vllm-project/vllm",
  ],
  [
    "vLLM",
    "The prompt (total length 9000) is too long to fit into the model (context length 8192).",
    "vllm-project/vllm",
  ],
  ["vLLM", "Input length (265330) exceeds model's maximum context length (262144).", "vllm-project/vllm"],
  ["TensorRT-LLM, NVIDIA NIM", "Prompt length (9000) exceeds maximum input length (8192)", "NVIDIA/TensorRT-LLM"],
  [
    "TensorRT-LLM, NVIDIA NIM",
    "The sum of prompt length (9000.0), query length (0) should not exceed max_num_tokens (8192)",
    "NVIDIA/TensorRT-LLM",
  ],
  ["llama.cpp", "the request exceeds the available context size, try increasing it", "ggml-org/llama.cpp"],
  [
    "llama.cpp",
    "request (4291 tokens) exceeds the available context size (4096 tokens), try increasing it",
    "ggml-org/llama.cpp",
  ],
  ["llama.cpp", "exceed_context_size_error", "ggml-org/llama.cpp"],
  ["llama.cpp", "Requested tokens (2100) exceed context window of 2048", "abetlen/llama-cpp-python"],
  ["DS4", "Prompt has 32769 tokens, but the configured context size is 32768 tokens", "earendil-works/pi"],
  [
    "LM Studio",
    "The number of tokens to keep from the initial prompt is greater than the context length",
    "lmstudio-ai/lmstudio-bug-tracker",
  ],
  [
    "LM Studio",
    "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens",
    "lmstudio-ai/lmstudio-bug-tracker",
  ],
  ["Ollama", "prompt too long; exceeded max context length by 12 tokens", "ollama/ollama"],
  ["Ollama", "the input length exceeds the context length", "ollama/ollama"],
  [
    "OpenRouter",
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input).",
    "refly-ai/refly",
  ],
  [
    "OpenRouter (Poolside)",
    "Input length 140000 exceeds the maximum allowed input length of 131072 tokens.",
    "earendil-works/pi",
  ],
  [
    "Cohere",
    "too many tokens: size limit exceeded by 19296 tokens. Try using shorter or fewer inputs.",
    "pydantic/pydantic-ai",
  ],
  [
    "Cohere",
    "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 8292.",
    "cohere-ai/sandbox-topically",
  ],
  ["Fireworks", "The prompt is too long: 140000, model maximum context length: 131071", "BerriAI/litellm"],
  [
    "SambaNova",
    "The maximum context length of the model is 4096 tokens, your request has 5000",
    "sambanova/ai-starter-kit",
  ],
  ["Databricks", "prompt token count 10000 cannot exceed 8192", "BerriAI/litellm"],
  [
    "Cloudflare",
    "The estimated number of input and maximum output tokens (440000) exceeded this model context window limit (262144)",
    "PostHog/posthog",
  ],
  ["Perplexity", "The total length of all messages is too long.", "BerriAI/litellm"],
  [
    "IBM watsonx",
    "the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model",
    "BerriAI/litellm",
  ],
  ["Snowflake Cortex", "max tokens of 4096 exceeded", "Snowflake-Labs/semantic-model-generator"],
  ["LiteLLM", 'ContextWindowExceededError: Hosted_vllmException - {"message":"no"}', "BerriAI/litellm"],
  ["gateways and proxies", "<html><head><title>413 Request Entity Too Large</title></head></html>", "nginx"],
  ["gateways and proxies", "Payload Too Large", "expressjs/body-parser"],
];

test.each(samples)("a request is too long for %s, which says: %s", async (_, words) => {
  expect((await refusedRequest(words)).stopReason).toBe("contextExceeded");
});

test.each(fullWindows)("the row of $server has a sample: $words", ({ words }) => {
  expect(samples.filter(([, said]) => new RegExp(words, "i").test(said))).not.toEqual([]);
});

test("the words of a server behind a gateway are read, and shown", async () => {
  const raw = JSON.stringify({ error: { message: "This model's maximum context length is 262144 tokens." } });
  const error = { code: 400, message: "Provider returned error", metadata: { raw, provider_name: "Nvidia" } };
  const answer = await refusedRequest(JSON.stringify({ error }));
  expect(answer.stopReason).toBe("contextExceeded");
  expect(answer.errorMessage).toContain("Provider returned error: This model's maximum context length");
});

test.each([
  "max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens for this model",
  "max_tokens is too large: 64000. This model supports at most 4096 completion tokens",
  "Range of max_tokens should be [1, 8192]",
  "max_tokens must be less than or equal to 32768, the maximum value for max_tokens is less than 32768 for this model",
  "This request would exceed your organization's rate limit of 30,000 input tokens per minute, see context window",
  "Request too large for model in organization on tokens per minute (TPM): reduce the length of the messages",
  "ThrottlingException: Too many tokens, please wait before trying again.",
  "Too many tokens per day, please wait before trying again.",
  "messages.0: all messages must have non-empty content",
  "Too many requests for the maximum context length",
  "Too many images in request: 11 images provided, but the model supports a maximum of 10 images.",
  "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes",
  "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 80.",
  "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 130 instead.",
  "string_above_max_length Invalid 'user': string too long. Expected a string with maximum length 64",
  "Your prompt was flagged as potentially violating our usage policy",
])("a request is not too long for a model that says: %s", (said) => {
  expect(saysFullWindow(said)).toBe(false);
});
