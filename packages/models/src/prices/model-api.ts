/** OpenAI's two interfaces for answers: chat completions, which many servers have, and its own newer one. */
export type Api = "chat" | "responses";

/** Models of OpenAI's own, fine-tuned ones too. The weights of gpt-oss are open, and others serve them. */
const ownModel = /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|o\d|codex-|computer-use-)/;

/** Models of OpenAI that have chat completions alone. */
const chatModel = /audio|search-preview/;

/**
 * The interface at which a model is asked unless the user sets one. OpenAI's models think with tools, and get their thinking
 * back, over responses alone; servers of other models may not have that, wherever they are.
 */
export const usualApi = (vendor: string, model: string): Api =>
  vendor === "openai" && ownModel.test(model) && !chatModel.test(model) ? "responses" : "chat";
