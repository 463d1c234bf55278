import { expect, test } from "bun:test";
import {
  compactionRetryStep,
  compactionStep,
  modelStep,
  permissionStep,
  retryStep,
  sessionCompactionStep,
} from "../../../packages/runtime/src/step-names.ts";
import { type StepKind, stepPlace } from "../../../packages/runtime/src/trace/step-place.ts";

test.each<[string, StepKind, number]>([
  [modelStep(1, 1), "model", 1],
  [modelStep(12, 3), "model", 12],
  [retryStep(3, 2), "retry", 3],
  [compactionStep(3, 1), "compaction", 3],
  [compactionStep(3, 2, 4), "compaction", 3],
  [compactionRetryStep(3, 1, 2), "compactionRetry", 3],
  ["tool:4:call_1", "tool", 4],
  [permissionStep("tool:4:call_1"), "permission", 4],
  ["tool:4:model:5", "tool", 4],
  ["tool:4:", "tool", 4],
])("%s is a step of a turn", (step, kind, turn) => {
  expect(stepPlace(step)).toStrictEqual({ kind, turn });
});

test.each([
  "user",
  "end",
  "identity",
  sessionCompactionStep({ messages: 12, rewinds: 0 }, 2),
  "model:",
  "model:x",
  "xmodel:1",
  "model:1x",
  "",
])("%p is none", (step) => {
  expect(stepPlace(step)).toBeUndefined();
});
