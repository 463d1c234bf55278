import type { AgentEvent } from "@mdx-ai/loop";
import type { PermissionMode } from "@mdx-ai/parser";
import type { Choose } from "./list-questions.ts";

/** What the user wants after a plan: carry it out in a mode, or say something else. */
export type PlanAnswer =
  | { readonly type: "go"; readonly mode: PermissionMode }
  | { readonly type: "say"; readonly text: string };

/** The prompt that carries out a plan. */
export const GO = "Carry out the plan.";

const ANSWERS: readonly { readonly mode?: PermissionMode; readonly title: string; readonly details: string }[] = [
  { mode: "ask", title: "Go, and ask before each change", details: "mode ask" },
  { mode: "edits", title: "Go, and change files without asking", details: "mode edits" },
  { mode: "all", title: "Go, and ask nothing", details: "mode all" },
  { title: "Stop here", details: "mode plan stays" },
];

/** Whether a prompt in plan mode has ended with something to carry out: not with a question to the user. */
export function endsWithPlan(event: AgentEvent): boolean {
  if (event.type !== "agent_end" || event.outcome !== "done") return false;
  const last = event.messages.at(-1);
  if (last?.role !== "assistant") return false;
  const text = last.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return text.trim() !== "" && !text.trimEnd().endsWith("?");
}

/** Asks the user about a plan. A text that is no answer says what to change. Undefined: the user stops here. */
export async function askAboutPlan(choose: Choose): Promise<PlanAnswer | undefined> {
  const choices = ANSWERS.map(({ title, details }) => ({ title, details, remark: "" }));
  const question = "Carry out this plan? Or type what to change.";
  const chosen = await choose({ question, choices, verb: "answers", takesText: true });
  if (chosen?.type === "typed") return { type: "say", text: chosen.text };
  const mode = chosen === undefined ? undefined : ANSWERS[chosen.index]?.mode;
  return mode === undefined ? undefined : { type: "go", mode };
}
