import { MessageBuilder } from "../message-builder.ts";
import type { LanguageModel, ModelRequest } from "../types/language-model.ts";
import type { Message } from "../types/message.ts";
import { chooseCall } from "./choose-call.ts";

const notice = "No language model is configured (offline): set ANTHROPIC_API_KEY or pass --model (see mdx-ai models).";

/** A model that understands next to nothing but needs no key and no network: the same request gets the same answer. */
export function openOfflineModel(): LanguageModel {
  return {
    provider: "offline",
    name: "offline",
    notice,
    async *stream(request, signal) {
      const builder = new MessageBuilder({ provider: "offline", model: "offline" });
      if (signal.aborted) builder.abort();
      else answer(request, builder);
      yield* builder.take();
    },
  };
}

function answer({ messages, tools, system }: ModelRequest, builder: MessageBuilder): void {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const results = messages.slice(asked + 1).filter((message) => message.role === "toolResult");
  const outcomes = results.map((result) => (result.isError ? `${result.toolName} failed: ` : "") + textOf(result));
  const choice = results.length > 0 ? outcomes.join("\n\n") || "(no text)" : chooseCall(textOf(messages[asked]), tools);
  builder.start();
  if (typeof choice === "string") {
    builder.append(builder.openText(), choice || introduction({ tools, system }));
    builder.finish("stop");
  } else {
    builder.openToolCall({ id: `offline-${messages.length}`, name: choice.tool.name, input: choice.arguments });
    builder.finish("toolUse");
  }
}

/** A skill in either catalog: of XML, or of a line for each skill. */
const SKILL = /<skill>\s*<name>([^<]*)<|(?<=^You have access to the following skills:\n\n(?:- .*\n)*)- \*\*(.*?)\*\*/gm;
function introduction({ tools, system }: Pick<ModelRequest, "tools" | "system">): string {
  const skills = [...system.matchAll(SKILL)].map(([, ofXml, ofTiers]) => `/skill:${ofXml ?? ofTiers}`);
  return `I am the offline model and can only call a tool that your words clearly point to.\n
Tools: ${tools.map(({ name }) => name).join(", ") || "none"}. Ask for one by its name, as in: tool_name key=value\n
Skills: ${skills.join(", ") || "none"}.`;
}

function textOf(message: Message | undefined): string {
  const texts = (message?.content ?? []).map((block) => (block.type === "text" ? block.text : ""));
  return texts.join("\n").trim();
}
