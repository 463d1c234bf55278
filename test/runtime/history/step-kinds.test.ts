import { expect, test } from "bun:test";
import { readStep, type StepKind } from "../../../packages/runtime/src/step-kinds.ts";
import {
  AFTER_PROMPT_STEP,
  afterToolStep,
  BEFORE_PROMPT_STEP,
  BEGIN_STEP,
  compactionRetryStep,
  compactionStep,
  deliverStep,
  END_STEP,
  identityStep,
  modelStep,
  numberedStep,
  permissionStep,
  policyStep,
  resumeStep,
  retryStep,
  SEGMENT_STEP,
  sessionCompactionStep,
  sizeStep,
  steerStep,
} from "../../../packages/runtime/src/step-names.ts";

test.each<[string, StepKind, number?, number?]>([
  [BEGIN_STEP, "begin"],
  [END_STEP, "end"],
  [BEFORE_PROMPT_STEP, "beforePrompt"],
  [AFTER_PROMPT_STEP, "afterPrompt"],
  [modelStep(1, 1), "model", 1],
  [modelStep(12, 3), "model", 12, 3],
  [retryStep(3, 2), "retry", 3, 2],
  [compactionStep(3, 1), "compaction", 3],
  [compactionStep(3, 2, 4), "compaction", 3, 2],
  [compactionRetryStep(3, 1, 2), "compactionRetry", 3],
  [sizeStep(2, 3), "size", 2, 3],
  [policyStep(2), "policy", 2],
  ["tool:4:call_1", "tool", 4],
  [permissionStep("tool:4:call_1"), "permission", 4],
  ["tool:4:model:5", "tool", 4],
  ["tool:4:", "tool", 4],
  [afterToolStep(5), "afterTool", 5],
  [deliverStep(6), "deliver", 6],
  [steerStep(2), "steer", 2],
  [resumeStep(3), "resume", 3],
  [numberedStep("queue", 4), "queue", 4],
  [numberedStep("unqueue", 4), "unqueue", 4],
  [numberedStep("head", 5), "head", 5],
  [numberedStep("agent", 6), "agent", 6],
  [identityStep("0a1b"), "identity"],
  [SEGMENT_STEP, "segment"],
  [sessionCompactionStep({ messages: 12, rewinds: 0 }, 1), "sessionCompaction"],
  [sessionCompactionStep({ messages: 12, rewinds: 3 }, 2), "sessionCompaction"],
])("the name %s is read as it was meant", (name, kind, number = 0, attempt = 1) => {
  expect(readStep(name)).toStrictEqual({ kind, number, attempt });
});

test.each(["model:", "model:x", "xmodel:1", "model:1x", "identity", "user:", "approve:1", "hook:other", "ends", ""])(
  "%p is no name of a step",
  (name) => {
    expect(readStep(name).kind).toBe("unknown");
  },
);
