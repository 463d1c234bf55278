import type { AgentEvent } from "@mdx-ai/loop";
import type { Theme } from "../output/theme.ts";
import type { SentInput } from "./input/sent-input.ts";
import type { Choose } from "./list-questions.ts";
import type { QuestionQueue } from "./question-queue.ts";
import type { Drawing, Screen } from "./screen/screen.ts";
import type { ToolOutput } from "./view/tool-output.ts";

/** How one kind of conversation draws and reads, and what it alone has. Functions are called after its constructor has ended. */
export interface ConversationFace {
  readonly theme: Theme;
  readonly screen: Pick<Screen, "append" | "refresh" | "rows">;
  readonly output: ToolOutput;
  /** Shows a text, which may be foreign. */
  say(text: string, tone?: "dim" | "warning" | "failure"): void;
  /** Shows a line that matters only now. */
  hint(text: string): void;
  /** Shows the agent, the model and the session; `isFirst` at the start of the conversation. */
  header(messages: number, isFirst: boolean): void;
  /** Everything before the user's first input is shown. */
  ready(): void;
  /** Shows what the user typed for a prompt that the agent did not begin. */
  echo(drawing: Drawing): void;
  /** How a message of the user in the transcript is shown; `drawing` is the usual way. */
  said(text: string, drawing: Drawing): Drawing;
  /** Takes texts that the agent never receives. */
  giveBack(texts: readonly string[]): void;
  /** Puts a text into the input, unless something is typed there. */
  retype(text: string): void;
  /** Receives each event of the session's prompts. */
  heard(event: AgentEvent): void;
  /** Ctrl+C was pressed and there was nothing to stop. */
  idle(): void;
  questions(): { readonly queue: QuestionQueue; dismiss(): boolean };
  lists(): { readonly choose: Choose; dismiss(): boolean };
  input(): Pick<SentInput, "prepare" | "shell">;
  columns(): number;
  /** Sends a control sequence to the terminal. */
  send(sequence: string): void;
  /** Switches vi keys on or off. Returns what to say. */
  toggleVi(): string;
}
