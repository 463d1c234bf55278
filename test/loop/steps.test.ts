import { expect, test } from "bun:test";
import { readStep, STEPS, type StepKind } from "@mdx-ai/loop";

test.each<[string, StepKind, number?, number?]>([
  [STEPS.begin.name(), "begin"],
  [STEPS.end.name(), "end"],
  [STEPS.beforePrompt.name(), "beforePrompt"],
  [STEPS.afterPrompt.name(), "afterPrompt"],
  [STEPS.model.name(1, 1), "model", 1],
  [STEPS.model.name(12, 3), "model", 12, 3],
  [STEPS.retry.name(3, 2), "retry", 3, 2],
  [STEPS.compaction.name(3, 1, 1), "compaction", 3],
  [STEPS.compaction.name(3, 2, 4), "compaction", 3, 2],
  [STEPS.compactionRetry.name(3, 1, 2), "compactionRetry", 3],
  [STEPS.size.name(2, 3), "size", 2, 3],
  [STEPS.policy.name(2), "policy", 2],
  ["tool:4:call_1", "tool", 4],
  [STEPS.permission.name("tool:4:call_1"), "permission", 4],
  ["tool:4:model:5", "tool", 4],
  ["tool:4:", "tool", 4],
  [STEPS.afterTool.name(5), "afterTool", 5],
  [STEPS.deliver.name(6), "deliver", 6],
  [STEPS.steer.name(2), "steer", 2],
  [STEPS.resume.name(3), "resume", 3],
  [STEPS.queue.name(4), "queue", 4],
  [STEPS.unqueue.name(4), "unqueue", 4],
  [STEPS.head.name(5), "head", 5],
  [STEPS.agent.name(6), "agent", 6],
  [STEPS.identity.name("0a1b"), "identity"],
  [STEPS.segment.name(), "segment"],
  [STEPS.sessionCompaction.name(12, 0, 1), "sessionCompaction"],
  [STEPS.sessionCompaction.name(12, 3, 2), "sessionCompaction"],
])("the name %s is read as it was meant", (name, kind, number = 0, attempt = 1) => {
  expect(readStep(name)).toStrictEqual({ kind, number, attempt });
});

test.each(["model:", "model:x", "xmodel:1", "model:1x", "identity", "user:", "approve:1", "hook:other", "ends", ""])(
  "%p is no name of a step",
  (name) => {
    expect(readStep(name).kind).toBe("unknown");
  },
);
