import { plainText } from "@mdx-ai/directory/text";
import { callText } from "@mdx-ai/directory/views/call-text";
import { budgetText, signInText } from "@mdx-ai/directory/views/prompt-lines";
import type { Question } from "@mdx-ai/loop";

/** What a question asks, in words for the user of another program. */
export function questionText(question: Question): string {
  switch (question.kind) {
    case "approval": {
      const { request } = question;
      const { verb, lines } = callText(request);
      return plainText(
        `The agent wants to call ${request.toolName}: ${verb} ${lines.join("\n")}\nWhy you are asked: ${request.reason}`,
      );
    }
    case "elicitation": {
      const { request, server } = question;
      const address = request.type === "url" ? `\n${request.url}` : "";
      return plainText(`${server}: ${request.message}${address}`);
    }
    case "budget":
      return budgetText(question);
    case "sign_in":
      return plainText(signInText(question.server, question.url));
  }
}
