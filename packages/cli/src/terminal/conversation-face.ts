import type { AgentEvent } from "@mdx-ai/loop";
import type { Theme } from "../output/theme.ts";
import type { SentInput } from "./input/sent-input.ts";
import type { Choose } from "./list-questions.ts";
import type { QuestionQueue } from "./question-queue.ts";
import type { Drawing, Screen } from "./screen/screen.ts";
import type { ToolOutput } from "./view/tool-output.ts";

/** The drawing and input of one kind of conversation. Its functions are called only after its constructor has returned. */
export interface ConversationFace {
  readonly theme: Theme;
  readonly screen: Pick<Screen, "append" | "refresh" | "rows">;
  readonly output: ToolOutput;
  /** Shows a text, which may be untrusted. */
  say(text: string, tone?: "dim" | "warning" | "failure"): void;
  /** Shows a transient line. */
  hint(text: string): void;
  /** Shows the agent, the model and the session; `isFirst` at the start of the conversation. */
  header(messages: number, isFirst: boolean): void;
  /** Called when everything before the first input is shown. */
  ready(): void;
  /** Shows the input of a prompt that the agent did not start. */
  echo(drawing: Drawing): void;
  /** Chooses how a user message in the transcript is shown; `drawing` is the default. */
  said(text: string, drawing: Drawing): Drawing;
  /** Returns texts that the agent did not receive. */
  giveBack(texts: readonly string[]): void;
  /** Puts a text into the input if it is empty. */
  retype(text: string): void;
  /** Receives each event of the session's prompts. */
  heard(event: AgentEvent): void;
  /** Called on Ctrl+C if there was nothing to stop. */
  idle(): void;
  questions(): { readonly queue: QuestionQueue; dismiss(): boolean };
  lists(): { readonly choose: Choose; dismiss(): boolean };
  input(): Pick<SentInput, "prepare" | "shell">;
  columns(): number;
  /** Sends a control sequence to the terminal. */
  send(sequence: string): void;
  /** Switches vi keys on or off. Returns the message to show. */
  toggleVi(): string;
}
