import type { ToolResultMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";

/** How the loop answers calls that it does not run, and those of which nobody knows whether they ran. */
const UNRUN = /^(?:not run: |interrupted, outcome unknown$)/;

/** How it answers those that were too many. */
const TOO_MANY = /^not run: this prompt may make /;

/** Whether a recorded result is the loop's own and not the tool's, so that there is nothing to compare it with. */
export const isUnrun = (result: ToolResultMessage): boolean => isError(result, UNRUN);

/** Whether a recorded call was refused since its prompt had made too many. */
export const isOneTooMany = (result: ToolResultMessage): boolean => isError(result, TOO_MANY);

const isError = ({ isError, content }: ToolResultMessage, text: RegExp): boolean =>
  isError && text.test(contentText(content));
