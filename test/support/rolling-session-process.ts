// Runs 150 prompts in session main of the agent directory of its argument, and begins a new journal before each.
import { join } from "node:path";
import { isAssistantMessage } from "@mdx-ai/models";
import { openStoredSession } from "../../packages/sessions/src/session/stored-session.ts";
import { assistantMessage } from "./model-request.ts";
import { begun, stepsOf } from "./prompt-steps.ts";

const directory = join(process.argv[2] ?? "", "sessions");
const session = openStoredSession({ directory, id: "main", longFrom: 1, clock: { now: () => 0 }, onWarning: () => {} });
for (let number = 1; number <= 150; number++) {
  await session.runPrompt(async (journal) => {
    const step = stepsOf(journal);
    const { messages } = journal.conversation;
    messages.push(await begun(step, `${number}`));
    const reply = assistantMessage([{ type: "text", text: "yes" }]);
    messages.push(await step("model:1", async () => reply, { accepts: isAssistantMessage }));
    await step("end", async () => "done", { accepts: (value) => value === "done" });
  });
}
session.close();
