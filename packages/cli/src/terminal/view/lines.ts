import { counted } from "@mdx-ai/directory/views/figures";
import type { LanguageModel, Message } from "@mdx-ai/models";
import { typedText, typedWords } from "@mdx-ai/models/typed-words";
import type { Agent } from "@mdx-ai/runtime";
import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";
import type { Drawing } from "../screen/screen.ts";

const frameLength = 100;
const secondsShownFrom = 2000;

/** One animated line with the current activity. */
export function statusLine(activity: string, since: number, theme: Theme): string {
  const elapsed = Math.max(0, performance.now() - since);
  const frame = theme.spinner[Math.floor(elapsed / frameLength) % theme.spinner.length] ?? "";
  const seconds = elapsed < secondsShownFrom ? "" : ` ${theme.separator} ${Math.floor(elapsed / 1000)} s`;
  return `${theme.accent(frame)} ${activity}${theme.dim(`${seconds} ${theme.separator} Esc stops`)}`;
}

/** The agent of a conversation and its number of messages. */
export interface Header {
  readonly agent: Pick<Agent, "name">;
  /** The model for the next prompts. */
  readonly model: Pick<LanguageModel, "provider" | "name">;
  readonly session: string;
  readonly messages: number;
}

/** The first line of a conversation. */
export function headerText({ agent, model, session, messages }: Header, theme: Theme): string {
  const history = messages === 0 ? "" : ` (${counted(messages, "message")} so far)`;
  const parts = [
    theme.bold(drawable(agent.name)),
    drawable(`${model.provider}/${model.name}`),
    `session ${drawable(session)}${history}`,
  ];
  return parts.join(` ${theme.separator} `);
}

/** Maximum lines shown of input that was not typed here, such as input from before a crash. */
const SHOWN = 10;

/** User input as it stays on the screen. */
export function echoed(text: string, theme: Theme): Drawing {
  const mark = theme.accent(">");
  const shown = theme.bold(drawable(text));
  return (columns) => {
    const [first = "", ...others] = wrapped(shown, columns, "  ");
    return [first.replace(/^ {2}|^/, `${mark} `), ...others, ""];
  };
}

/** As `echoed`, for input that was not typed here and may be very long. */
export function recalled(text: string, theme: Theme): Drawing {
  const lines = text.trim().split("\n");
  const more = lines.length - SHOWN;
  const rest = more > 0 ? [`${theme.ellipsis} ${counted(more, "more line")}`] : [];
  return echoed([...lines.slice(0, SHOWN), ...rest].join("\n"), theme);
}

/** One line for text from a module or the heartbeat. */
export const inBackground = (text: string, theme: Theme): Drawing =>
  lineOf(theme.dim(`(in the background) ${firstLine(text, theme)}`));

/** Input that the agent has not received yet, one per line; `note` says what happens to it. */
export function waitingLine(text: string, note: string, theme: Theme): (columns: number) => readonly string[] {
  const aside = note === "" ? "" : theme.dim(` (${note})`);
  return (columns) => wrapped(`${theme.accent(">")} ${theme.dim(firstLine(text, theme))}${aside}`, columns);
}

function firstLine(text: string, theme: Theme): string {
  const [first = "", ...others] = drawable(text).trim().split("\n");
  return others.length > 0 ? `${first} ${theme.ellipsis} ${counted(others.length, "more line")}` : first;
}

const lineOf =
  (line: string): Drawing =>
  (columns) => [...wrapped(line, columns), ""];

/** Exchanges shown. */
const EXCHANGES = 3;
/** Maximum rows shown of an input and of an answer. */
const ROWS = 4;

/** An input and the last answer before the next input. */
interface Exchange {
  readonly input: string;
  readonly answer: string;
}

/** The last exchanges of a resumed conversation, shortened; empty for a new one. */
export const lastExchanges = (messages: readonly Message[], theme: Theme): readonly Drawing[] =>
  exchanges(messages)
    .slice(-EXCHANGES)
    .flatMap(({ input, answer }) => [
      echoed(beginning(input, theme), theme),
      ...(answer === "" ? [] : [answered(answer, theme)]),
    ]);

function exchanges(messages: readonly Message[]): readonly Exchange[] {
  const inputs = messages.flatMap((message, at) =>
    message.role === "user" && message.origin === undefined ? [{ at, message }] : [],
  );
  return inputs.map(({ at, message }, index) => {
    const answers = messages.slice(at + 1, inputs[index + 1]?.at).filter(({ role }) => role === "assistant");
    const texts = answers.map(textOf).filter((text) => text !== "");
    return { input: typedWords(typedText(message)), answer: texts.at(-1) ?? "" };
  });
}

const textOf = (message: Message | undefined): string =>
  (message?.content ?? [])
    .map((block) => (block.type === "text" ? block.text : block.type === "image" ? `[${block.mimeType}]` : ""))
    .join("")
    .trim();

/** The first lines of a text, and how many more there are. */
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
