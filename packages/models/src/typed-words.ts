import type { UserMessage } from "./types/message.ts";

/** Matches the beginning of the attached files, resources and outputs after the user's words. */
const ATTACHED = /^(?:<attached_(?:file|resource) |The user ran a command:\n<user_command>$)/m;

/** The part of an input that the user typed, without attachments, which others wrote. */
export const typedWords = (input: string): string => (input.split(ATTACHED, 1)[0] ?? "").trim();

/** The user's words in a message, with attachments. If a command was expanded, the command as typed. */
export const typedText = ({ typed, content }: UserMessage): string =>
  typed ?? content.map((block) => (block.type === "text" ? block.text : "")).join("");
