import { expect, test } from "bun:test";
import fc from "fast-check";
import { inOrder, orderProblem } from "../../../packages/runtime/src/history/line-order.ts";
import { recordLive } from "../../support/live-recording.ts";
import { randomCases } from "../../support/random-cases.ts";
import { randomSession } from "../../support/random-session.ts";

const moves = fc.array(fc.record({ from: fc.nat(), to: fc.nat() }), { minLength: 1, maxLength: 8 });

const CASES = randomCases(40);

test(`whole journals are in order already, doubled ones become whole again, and shuffled ones are put in order`, async () => {
  let shuffled = 0;
  const property = fc.asyncProperty(randomSession, moves, async (session, places) => {
    const { lines } = await recordLive(session);
    expect(orderProblem(lines)).toBeUndefined();
    expect(inOrder(lines, [])).toStrictEqual(lines);
    expect(inOrder([...lines, ...lines], []).filter(({ prompt }) => prompt > 0)).toStrictEqual(
      lines.filter(({ prompt }) => prompt > 0),
    );
    const moved = [...lines];
    for (const { from, to } of places) moved.splice(to % moved.length, 0, ...moved.splice(from % moved.length, 1));
    if (orderProblem(moved) !== undefined) shuffled++;
    const ordered = inOrder(moved, []);
    expect(orderProblem(ordered)).toBeUndefined();
    expect(new Set(ordered)).toStrictEqual(new Set(lines));
  });
  await fc.assert(property, CASES);
  expect(shuffled).toBeGreaterThan(10);
}, 120_000);
