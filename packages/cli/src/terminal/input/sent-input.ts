import type { Agent, ApprovalAnswer } from "@mdx-ai/runtime";
import { type Asked, yesOrNo } from "../../approval/approval-content.ts";
import type { Input } from "../sent-prompts.ts";
import { Attachments, type SentContent } from "./attachments.ts";
import { UserShell, type UserShellOptions } from "./user-shell.ts";

export interface SentInputOptions extends UserShellOptions {
  readonly agent: Pick<Agent, "readAttachment" | "runCommand" | "servers">;
  /** Where tools work. Absolute. */
  readonly folder: string;
  /** The user's home folder. */
  readonly home: string | undefined;
  /** Asks the user something. */
  ask(asked: Asked): Promise<ApprovalAnswer>;
  warn(message: string): void;
}

/** What is sent in place of a typed text: the files that it names, and the output of commands behind `!`. */
export class SentInput {
  readonly shell: UserShell;
  readonly attachments: Attachments;

  constructor(options: SentInputOptions) {
    const { ask } = options;
    this.shell = new UserShell(options);
    const confirm = async (path: string, reason: string): Promise<boolean> => {
      const about = { lines: [], reason, no: "no, send the prompt without it" };
      const { answer } = await ask(yesOrNo(`Attach ${path}?`, "yes, send it", about));
      return answer !== "no";
    };
    this.attachments = new Attachments({ ...options, confirm });
  }

  /** Prepares what is sent in place of a typed text: with the files that it names, and the output of commands since the last one. */
  readonly prepare = (text: string): Input => {
    const notes = this.shell.takeNotes();
    let isReleased = false;
    return {
      text,
      content: this.#content(text, notes),
      release: () => {
        if (!isReleased) this.shell.returnNotes(notes);
        isReleased = true;
      },
    };
  };

  #content(text: string, notes: readonly string[]): SentContent | Promise<SentContent> {
    const withNotes = (content: SentContent): SentContent => ({
      ...content,
      text: [content.text, ...notes].join("\n\n"),
    });
    if (!this.attachments.isNamedIn(text)) return withNotes({ text, images: [] });
    return this.attachments.attach(text).then(withNotes);
  }
}
