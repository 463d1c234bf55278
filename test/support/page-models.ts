import { textReply as anthropicText, toolReply as anthropicTool } from "./anthropic-replies.ts";
import { anthropicServer } from "./anthropic-server.ts";
import { textReply as openAiText, toolReply as openAiTool } from "./openai-replies.ts";
import { openAiServer } from "./openai-server.ts";

/** What a model answers to one request of a page. */
export type PageReply = { readonly text: string } | { readonly tool: string; readonly input: unknown };

interface PageModels extends Disposable {
  /** Where the models are. Keys are the reader's. */
  readonly environment: Readonly<Record<string, string>>;
  /** How many answers are left, less those that were asked for in vain. */
  readonly unasked: number;
}

/** Models on loopback that give the answers, to whoever asks first: as Anthropic's, and as those of an Ollama. */
export function pageModels(replies: readonly PageReply[]): PageModels {
  const anthropic = anthropicServer(
    ...replies.map((reply, index) => {
      if ("text" in reply) return anthropicText(reply.text);
      return anthropicTool({ id: `call_${index}`, name: reply.tool, input: reply.input });
    }),
  );
  const ollama = openAiServer(
    ...replies.map((reply, index) => {
      if ("text" in reply) return openAiText(reply.text);
      return openAiTool({ id: `call_${index}`, name: reply.tool, input: reply.input });
    }),
  );
  return {
    environment: {
      ANTHROPIC_BASE_URL: anthropic.environment.ANTHROPIC_BASE_URL,
      ...ollama.environment("ollama"),
    },
    get unasked() {
      return replies.length - anthropic.requests.length - ollama.requests.length;
    },
    [Symbol.dispose]() {
      anthropic[Symbol.dispose]();
      ollama[Symbol.dispose]();
    },
  };
}
