import type { ToolResultMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";

/** How the loop answers calls that it does not run, and those of which nobody knows whether they ran. */
const UNRUN = /^(?:not run: |interrupted, outcome unknown$)/;

/** Whether a recorded result is the loop's own and not the tool's, so that there is nothing to compare it with. */
export const isUnrun = ({ isError, content }: ToolResultMessage): boolean =>
  isError && UNRUN.test(contentText(content));
