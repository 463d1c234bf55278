import { visibleText } from "@mdx-ai/directory/text";

/** A foreign text for a user who decides about it, as `visibleText` shows it, with tabs as arrows. */
export const visibleLine = (text: string): string => visibleText(text.replaceAll("\t", "→   "));
