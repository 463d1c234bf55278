import { expect, test } from "bun:test";
import { refusedRequest } from "../../support/refused-request.ts";

test.each([
  "prompt is too long: 210000 tokens > 200000 maximum",
  "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000",
  "context_length_exceeded",
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "the request exceeds the available context size, try increasing it",
  "exceed_context_size_error",
  "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  "Please reduce the length of the messages or completion.",
  "prompt too long; exceeded max context length by 12 tokens",
  "Input is too long for requested model.",
  "Request exceeds the maximum allowed number of bytes",
])("a request is too long for a model that says: %s", async (text) => {
  expect((await refusedRequest(text)).stopReason).toBe("contextExceeded");
});

test.each([
  "max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens for this model",
  "This request would exceed your organization's rate limit of 30,000 input tokens per minute, see context window",
  "Request too large for model in organization on tokens per minute (TPM): reduce the length of the messages",
  "messages.0: all messages must have non-empty content",
  "Too many requests for the maximum context length",
])("a request is not too long for a model that says: %s", async (text) => {
  expect((await refusedRequest(text)).stopReason).toBe("error");
});
