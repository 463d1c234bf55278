import type { UserMessage } from "@mdx-ai/models";
import { contentText } from "./content-text.ts";

/** Where the files, resources and outputs begin that are sent behind the words of the user. */
const ATTACHED = /^(?:<attached_(?:file|resource) |The user ran a command:\n<user_command>$)/m;

/** What the user typed of an input, without what was attached to it: others wrote that. */
export const typedWords = (input: string): string => (input.split(ATTACHED, 1)[0] ?? "").trim();

/** What the user said in a message, with what was attached: the text that a command made of it is not theirs. */
export const typedText = ({ typed, content }: UserMessage): string => typed ?? contentText(content);
