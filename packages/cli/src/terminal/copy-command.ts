import { type Agent, answerText } from "@mdx-ai/runtime";
import { counted } from "../output/figures.ts";
import { type ClipboardOptions, copyText } from "./clipboard.ts";

/** Runs `/copy` and returns the answer. Rejects as `Agent.messages` does. */
export async function runCopy(
  agent: Pick<Agent, "messages">,
  session: string,
  clipboard: ClipboardOptions,
): Promise<string> {
  const messages = await agent.messages(session);
  // The last message may be a call, or an attempt that broke off.
  const said = messages.findLast((message) => message.role === "assistant" && answerText([message]).trim() !== "");
  const answer = said && answerText([said]);
  if (answer === undefined) return "There is no answer to copy yet.";
  const length = counted(answer.length, "character");
  const copied = await copyText(answer, clipboard);
  switch (copied.type) {
    case "program":
      return `Copied the last answer with ${copied.name}: ${length}.`;
    case "terminal":
      return `Sent the last answer to the clipboard of your terminal (OSC 52), if it allows that: ${length}.`;
    case "too_long":
      return `The last answer has ${length}: too long for the terminal's clipboard. Install wl-copy or xclip, or write it to a file with /export.`;
  }
}
