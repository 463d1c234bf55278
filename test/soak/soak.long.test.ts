import { expect, test } from "bun:test";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { soak } from "./soak.ts";

test("for days of simulated time every due task runs once or is accounted for, through faults and restarts, and memory stays flat", async () => {
  using folder = temporaryDirectory();
  const { runs, restarts, times, complaints } = await soak({ agents: 10, days: 17, folder: folder.path, seed: 7 });
  expect(complaints).toEqual([]);
  expect(restarts).toBeGreaterThan(10);
  expect(times).toBeGreaterThan(runs);
});
