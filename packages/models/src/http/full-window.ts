/** How a server reports that a request does not fit the model's window: its name, and an identifying part of the message. */
interface FullWindow {
  readonly server: string;
  readonly words: string;
}

/**
 * One row per message, case-insensitive. To add one, write a row here and a sample with its source in packages/models/src/http/full-window.test.ts.
 * A row must not match rate limits, or limits of the answer's length or of images.
 */
export const fullWindows: readonly FullWindow[] = [
  {
    server: "several, as a code",
    words: "context[ ._-]?(?:length|window|limit|size)[ ._-]?(?:has been |was )?exceeded",
  },
  {
    server: "several, as a code",
    words: "exceeds?_context_size|prompt_too_long|tokens_limit_reached|max_prompt_tokens_exceeded",
  },
  { server: "several", words: "maximum context (?:length|limit|size|window)|max(?:imum)? context length" },
  { server: "several", words: "context window" },
  {
    server: "several",
    words: "exceed(?:s|ed|ing)? (?:the |this )?(?:model'?s? )?(?:available |allowed |maximum |max )*context",
  },
  { server: "several", words: "(?:prompt|input|messages?|conversation) (?:is |are )?too (?:long|large)\\b" },
  {
    server: "several",
    words:
      "(?:input|prompt|request(?:ed)?)(?:'s)? (?:token(?:s| count)?|length|size|has \\d+ tokens)\\b[^.]{0,60}? (?:exceeds?|exceeded|cannot exceed|(?:is|are) (?:greater|larger|longer|more) than)(?! (?:the )?(?:rate|quota))",
  },
  { server: "several", words: "exceeds? the maximum number of (?:input |prompt )?tokens" },
  { server: "several", words: "max(?:imum)? (?:allowed )?input length" },
  { server: "Anthropic", words: "request_too_large|maximum allowed number of bytes|request exceeds the maximum size" },
  { server: "OpenAI", words: "invalid '(?:input|messages)[^']*': string too long" },
  { server: "Azure", words: "input tokens exceed the configured limit" },
  { server: "Amazon Bedrock", words: "too many input tokens" },
  { server: "Gemini", words: "token count .*exceeds the maximum|payload size exceeds the limit" },
  { server: "Vertex AI", words: "input token count is [\\d,]+ but (?:the )?model only supports" },
  { server: "GitHub Copilot", words: "token count (?:of )?[\\d,]+ exceeds (?:the limit|max token count)" },
  { server: "GitHub Models", words: "request body too large for .* model" },
  { server: "xAI", words: "maximum prompt length is" },
  { server: "Groq, Cerebras", words: "reduce the length of the (?:messages|prompt|input)" },
  { server: "Cerebras", words: "current length is [\\d,]+ while limit is" },
  { server: "Mistral", words: "too large for model with [\\d,]+ maximum context" },
  { server: "Moonshot (Kimi)", words: "exceeded model token limit" },
  { server: "z.ai (GLM)", words: "prompt exceeds max(?:imum)? length|prompt ?超长" },
  { server: "Alibaba (Qwen)", words: "range of input length should be" },
  { server: "MiniMax", words: "tokens exceed the (?:model'?s )?(?:maximum|limit)" },
  { server: "Volcengine (Doubao)", words: "exceed max message tokens" },
  { server: "Baidu (Qianfan)", words: "prompt tokens too long|max input (?:characters|tokens) is" },
  {
    server: "iFlytek (Spark), Tencent (Hunyuan)",
    words: "token ?数量超过上限|(?:输入|上下文)[^。]{0,12}(?:超过|超出|过长)",
  },
  { server: "Together, SGLang", words: "longer than the model'?s (?:maximum )?context" },
  {
    server: "text-generation-inference",
    words: "inputs`? tokens \\+ `?max_new_tokens`? must be|inputs`? must have less than",
  },
  { server: "vLLM", words: "longer than the maximum model length|too long to fit into the model" },
  { server: "TensorRT-LLM, NVIDIA NIM", words: "prompt length .* (?:exceeds|should not exceed)" },
  { server: "llama.cpp", words: "exceeds? the available context" },
  { server: "DS4", words: "the configured context size is" },
  { server: "LM Studio", words: "greater than the context length|context length of only|context the overflows" },
  { server: "Ollama", words: "exceeded (?:max )?context length|input length exceeds" },
  { server: "OpenRouter (Poolside)", words: "exceeds (?:the )?maximum allowed input length" },
  { server: "Cohere", words: "too many tokens" },
  { server: "Perplexity", words: "length of all messages is too long" },
  { server: "IBM watsonx", words: "number of input tokens [\\d,]+ cannot exceed" },
  { server: "Snowflake Cortex", words: "max tokens of [\\d,]+ exceeded" },
  { server: "gateways and proxies", words: "(?:request entity|payload|content|request body) too large" },
];

/** Rate limits also mention tokens. */
const PACE =
  /rate.?limit|too many requests|per[ -](?:second|minute|hour|day|month)|\b(?:daily|hourly|monthly)\b|\b[rt]p[mds]\b|throttl|please wait/i;

/** The limit of a single field, such as a name or an id. */
const OTHER_LIMIT = /string_above_max_length(?!.*'(?:input|messages))|invalid 'user'/i;

/** Whether a failure's message says that the request does not fit the model's window. Compiles the table, so call it only for failures. */
export function saysFullWindow(said: string): boolean {
  const full = new RegExp(fullWindows.map(({ words }) => words).join("|"), "i");
  return full.test(said) && !PACE.test(said) && !OTHER_LIMIT.test(said);
}
