import type { Message } from "@mdx-ai/models";
import { drawable, wrapped } from "../../output/columns.ts";
import { counted } from "../../output/figures.ts";
import type { Theme } from "../../output/theme.ts";
import type { Drawing } from "../screen/screen.ts";
import { echoed } from "./lines.ts";

/** How many exchanges are shown. */
const EXCHANGES = 3;
/** The most rows of an input, and of an answer, that are shown. */
const ROWS = 4;

/** An input of the user, and what was answered last before the next one. */
interface Exchange {
  readonly input: string;
  readonly answer: string;
}

/** The last exchanges of a conversation, shortened, for a user who comes back; nothing of a new one. */
export const lastExchanges = (messages: readonly Message[], theme: Theme): readonly Drawing[] =>
  exchanges(messages)
    .slice(-EXCHANGES)
    .flatMap(({ input, answer }) => [
      echoed(beginning(input, theme), theme),
      ...(answer === "" ? [] : [answered(answer, theme)]),
    ]);

function exchanges(messages: readonly Message[]): readonly Exchange[] {
  const inputs = messages.flatMap((message, at) =>
    message.role === "user" && message.origin === undefined ? [at] : [],
  );
  return inputs.map((from, at) => {
    const answers = messages.slice(from + 1, inputs[at + 1]).filter(({ role }) => role === "assistant");
    const texts = answers.map(textOf).filter((text) => text !== "");
    return { input: textOf(messages[from]), answer: texts.at(-1) ?? "" };
  });
}

const textOf = (message: Message | undefined): string =>
  (message?.content ?? [])
    .map((block) => (block.type === "text" ? block.text : block.type === "image" ? `[${block.mimeType}]` : ""))
    .join("")
    .trim();

/** The first lines of a text, and how many follow. */
function beginning(text: string, { ellipsis }: Theme): string {
  const lines = text.split("\n");
  const more = lines.length - ROWS;
  return more > 0 ? [...lines.slice(0, ROWS), `${ellipsis} ${counted(more, "more line")}`].join("\n") : text;
}

/** The first rows of an answer, as plain text. */
function answered(text: string, theme: Theme): Drawing {
  return (columns) => {
    const rows = wrapped(drawable(text), columns);
    const more = rows.length - ROWS;
    const rest = more > 0 ? [`${theme.ellipsis} ${counted(more, "more line")}`] : [];
    return [...[...rows.slice(0, ROWS), ...rest].map(theme.dim), ""];
  };
}
