import { noRedactor, systemClock } from "@mdx-ai/base";
import type { AgentEvent } from "@mdx-ai/loop";
import type { AgentOptions } from "@mdx-ai/runtime";
import { openQuestions } from "../../packages/runtime/src/questions/open-questions.ts";
import type { SessionQuestions } from "../../packages/sessions/src/questions/session-questions.ts";

/** The questions of a session, which are kept nowhere unless the options say so. */
export const sessionQuestions = (
  options: Pick<
    AgentOptions,
    "onApproval" | "onServerQuestion" | "questionsDirectory" | "answersWithin" | "clock"
  > = {},
  announce: (event: AgentEvent) => void = () => {},
): SessionQuestions =>
  openQuestions(() => ({ clock: systemClock, dataDirectory: "/", ...options }), {
    ...{ id: "main", key: () => "main", redactor: noRedactor, clock: options.clock ?? systemClock },
    announce,
  });
