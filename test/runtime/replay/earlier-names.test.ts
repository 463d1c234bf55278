import { expect, test } from "bun:test";
import { playAll, recordLive } from "../../support/live-recording.ts";

const call = (id: string, name: string, ticks = 1) => ({ id, name, arguments: { ticks } });

test("a journal of an earlier version, in which pending input is `undelivered`, replays alike", async () => {
  const { lines } = await recordLive({
    scripts: [[{ calls: [call("a", "steer")] }]],
    inputs: ["go"],
    run: { plan: { limits: { turns: 1 } } },
  });
  const text = JSON.stringify(lines);
  const earlier = JSON.parse(text.replaceAll('"pendingInput":', '"undelivered":'));
  expect(JSON.stringify(earlier)).not.toBe(text);
  const [played = []] = await playAll(earlier);
  expect(played.at(-1)).toMatchObject({ type: "agent_end", pendingInput: ["look here 1"] });
});
