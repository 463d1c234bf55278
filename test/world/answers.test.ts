import { expect, test } from "bun:test";
import { anthropicAnswers } from "./oddities/answers-anthropic.ts";
import { chatAnswers } from "./oddities/answers-chat.ts";
import { responsesAnswers } from "./oddities/answers-responses.ts";
import type { Oddity } from "./oddity.ts";
import { playPrompt } from "./play-prompt.ts";

const rows = [...chatAnswers, ...anthropicAnswers, ...responsesAnswers];

test.each(rows.map((row): [string, Oddity] => [`${row.wire}: ${row.name} (${row.seen})`, row]))(
  "%s",
  async (_name, row) => {
    const { expected, got } = await playPrompt(row);
    expect(got).toEqual(expected);
  },
);
