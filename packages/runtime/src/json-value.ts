import { attempt } from "./attempt.ts";

/** The value of a text of JSON; undefined if the text is no JSON. */
export const jsonValue = (text: string): unknown => attempt<unknown>(() => JSON.parse(text));
