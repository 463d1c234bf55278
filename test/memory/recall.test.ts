import { expect, test } from "bun:test";
import { readConversations } from "../../bench/memory/conversations.ts";
import { measureRecall } from "../../bench/memory/recall.ts";
import { syntheticConversations } from "../support/synthetic-conversations.ts";

test("search finds far more of what answers questions than plain BM25", async () => {
  const conversations = readConversations(syntheticConversations());
  const { questions, plain, found } = await measureRecall(conversations);
  expect(questions).toBe(128);
  const [five = 0, ten = 0, twenty = 0] = found;
  expect(five).toBeGreaterThan(0.6);
  expect(ten).toBeGreaterThan(0.65);
  expect(twenty).toBeGreaterThan(0.7);
  for (const [at, share] of found.entries()) expect(share).toBeGreaterThan(2.5 * (plain[at] ?? 1));
});

test("the form of the data set is read with its sessions, dates, captions and evidence", () => {
  const turns = [
    { speaker: "Anna", dia_id: "D1:1", text: "Look at this!", blip_caption: "a photo of a lighthouse" },
    { speaker: "Bert", dia_id: "D1:2", text: "Beautiful" },
  ];
  const conversation = {
    speaker_a: "Anna",
    speaker_b: "Bert",
    session_1_date_time: "1:56 pm on 8 May, 2023",
    session_1: turns,
  };
  const qa = [
    { question: "What did Anna show?", answer: "A lighthouse", evidence: ["D1:1; D1:2", "D9:9"], category: 1 },
    { question: "What else?", answer: "Nothing", evidence: [], category: 5 },
  ];
  const [read] = readConversations(JSON.stringify([{ sample_id: "one", conversation, qa }]));
  expect(read?.entries[0]).toStrictEqual({
    entryId: "D1:1",
    rawEntry: "Look at this!",
    summary: "a photo of a lighthouse",
    createdAt: "2023-05-08T13:56:00.000Z",
    tags: { speaker: "Anna", session: "1" },
  });
  expect(read?.questions).toStrictEqual([{ question: "What did Anna show?", evidence: ["D1:1", "D1:2"] }]);
});
