import { visibleText } from "../visible-text.ts";

/** A foreign text, as `visibleText` shows it, for a user who decides about it: a tab, of which code is full, is an arrow. */
export const visibleLine = (text: string): string => visibleText(text.replaceAll("\t", "→   "));
