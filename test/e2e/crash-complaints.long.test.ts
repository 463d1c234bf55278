import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { complaintsAbout, type Fault } from "../support/crash-complaints.ts";
import { crashStory, type Life } from "../support/crash-story.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Two processes, one after the other, that nobody killed: the first answers prompt a, the second prompt c. */
async function quietLives(): Promise<{ readonly first: Life; readonly second: Life }> {
  using workshop = temporaryDirectory();
  using story = crashStory({ home: join(workshop.path, "home") });
  return {
    first: await story.live({ task: "a", model: "script" }),
    second: await story.live({ task: "c", model: "judge" }),
  };
}

const { first, second } = await quietLives();

const withAfter = (life: Life, change: Partial<Life["after"]>): Life => ({
  ...life,
  after: { ...life.after, ...change },
});

/** The same, as if the first process had died before a step was journaled. */
function cutBefore(step: string): readonly Life[] {
  const lines = first.after.journal.split("\n");
  const kept = lines.slice(
    0,
    lines.findIndex((line) => line.includes(`"step":"${step}"`)),
  );
  const before = { ...first.after, journal: kept.map((line) => `${line}\n`).join("") };
  return [
    { ...first, wasKilled: true, stdout: "", after: before },
    { ...second, before, stdout: "" },
  ];
}

interface Case {
  readonly name: string;
  readonly lives: readonly Life[];
  readonly fault: Fault;
  readonly text: string;
}

const CASES: readonly Case[] = [
  {
    name: "an answer that was told and is not in the journal",
    lives: [withAfter(first, { journal: first.after.journal.replace("I note it.", "I note this.") }), second],
    fault: "lost",
    text: "told what the journal does not hold",
  },
  {
    name: "an end that was told and is not in the journal",
    lives: [first, withAfter(second, { journal: second.after.journal.replace(/\n[^\n]*\n$/, "\n") })],
    fault: "lost",
    text: "agent_end",
  },
  {
    name: "a journal that is not what it was",
    lives: [first, { ...second, before: { ...second.before, journal: `{}\n${second.before.journal}` } }],
    fault: "lost",
    text: "changed what the journal held",
  },
  {
    name: "a message that is missing from the transcript",
    lives: [first, withAfter(second, { transcript: (second.after.transcript ?? []).toSpliced(1, 1) })],
    fault: "lost",
    text: "the transcript is",
  },
  {
    name: "a session that cannot be read",
    lives: [first, withAfter(second, { transcript: [] })],
    fault: "lost",
    text: "the transcript is []",
  },
  {
    name: "a tool that began twice in one process",
    lives: [first, withAfter(second, { effects: [...second.after.effects, "begin a1-note"] })],
    fault: "run twice",
    text: "a1-note began twice",
  },
  {
    name: "a tool that began again after a crash",
    lives: [first, withAfter(second, { effects: [...first.after.effects, "begin a1-note"] })],
    fault: "run twice",
    text: "a1-note was started before the crash and again after",
  },
  {
    name: "a tool that began without a marker",
    lives: [first, withAfter(second, { effects: ["begin a9-note"] })],
    fault: "other",
    text: "a9-note began without a marker",
  },
  {
    name: "a tool that is told as done and did not end",
    lives: [first, withAfter(second, { effects: ["begin a1-note"] })],
    fault: "lost",
    text: "a1-note is told as done and never ended",
  },
  {
    name: "a transcript that a provider refuses",
    lives: [first, { ...second, questions: [{ turn: "?", refusal: "messages.0: roles must alternate" }] }],
    fault: "invalid transcript",
    text: "roles must alternate",
  },
  {
    name: "a model that is asked for an answer that is journaled",
    lives: [first, { ...second, questions: [{ turn: "a1", refusal: undefined }] }],
    fault: "other",
    text: "the model was asked again for a1",
  },
  {
    name: "a history that tells something else",
    lives: [first, withAfter(second, { history: second.after.history.replace("prompt a", "prompt x") })],
    fault: "history wrong",
    text: "prompt x",
  },
  {
    name: "a history that is no JSON",
    lives: [first, withAfter(second, { history: second.after.history.slice(0, -3) })],
    fault: "history wrong",
    text: "it shows undefined",
  },
  {
    name: "a file that is left behind",
    lives: [first, withAfter(second, { drafts: ["sessions/main/lock"] })],
    fault: "other",
    text: "sessions/main/lock is left behind",
  },
  {
    name: "a start that fails",
    lives: [first, { ...second, exitCode: 1, stderr: "broken" }],
    fault: "other",
    text: "c ended with 1: broken",
  },
  {
    name: "an interruption that nobody is told of",
    lives: cutBefore("model:2"),
    fault: "other",
    text: "does not tell that prompt 1 was interrupted",
  },
  {
    name: "a call that is answered although its outcome is unknown",
    lives: cutBefore('tool:1:a1-note","result'),
    fault: "lost",
    text: "a1-note: done",
  },
];

describe("the judge of crashes", () => {
  test("reports nothing for a run that was not killed", () => {
    expect(complaintsAbout({ lives: [first, second] })).toEqual([]);
  });

  test.each([...CASES])("complains of $name", ({ lives, fault, text }) => {
    const complaints = complaintsAbout({ lives });
    expect(complaints).toContainEqual({ fault, text: expect.stringContaining(text) });
  });
});
