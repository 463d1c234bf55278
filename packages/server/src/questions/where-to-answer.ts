import { shellWord } from "@mdx-ai/base";
import type { Question } from "@mdx-ai/loop";

export interface AnswerPlaces {
  /** The agent directory whose sessions `mdx-ai answer` answers; undefined if they are not on this machine. Absolute. */
  readonly directory: string | undefined;
  /** Whether a server takes answers, too. */
  readonly takesPosts: boolean;
}

/** How the user answers a question that the client does not show. The prompt waits. */
export function whereToAnswer({ id, session }: Question, { directory, takesPosts }: AnswerPlaces): string {
  const ways = [
    ...(directory === undefined
      ? []
      : [`with: mdx-ai answer ${shellWord(directory)} ${id} yes --session ${shellWord(session)} (or no)`]),
    ...(takesPosts ? [`by POST to …/sessions/${encodeURIComponent(session)}/questions/${id}`] : []),
  ];
  return `[Question ${id} of session ${session} waits for an answer. Answer it ${ways.join(", or ")}; then the agent continues.]`;
}
