import { expect, test } from "bun:test";
import { protectedPaths } from "@mdx-ai/permissions";
import { toolDoing } from "../../../test/support/tool-bench.ts";
import type { SandboxOptions } from "./command-sandbox.ts";
import type { Mount } from "./mounts.ts";
import { sandboxView } from "./sandbox-view.ts";

const OPTIONS: SandboxOptions = {
  agentDir: "/home/me/agent",
  cwd: "/home/me",
  environment: {},
  lists: protectedPaths({ environment: {} }),
  policy: { mode: "auto", network: ["a.example"], read: [], write: [] },
  toolHostCommand: [],
};

test("a path is listed once, by what it is and what is around it; what is like its surroundings is not", () => {
  const mounts = new Map<string, Mount>([
    ["/tmp", { kind: "private", name: "tmp", mode: "1777" }],
    ["/tmp/shown", { kind: "read-only" }],
    ["/home/me", { kind: "hidden-folder" }],
    ["/home/me/inner", { kind: "hidden-folder" }],
    ["/home/me/agent", { kind: "writable" }],
    ["/home/me/agent/modules", { kind: "read-only" }],
    ["/home/me/agent/modules/a.ts", { kind: "read-only" }],
    ["/home/me/agent/modules/data", { kind: "writable" }],
    ["/home/me/agent/state", { kind: "writable" }],
    ["/home/me/agent/.env", { kind: "stand-in", source: "/run/empty" }],
    ["/home/me/tools", { kind: "read-only" }],
    ["/home/me/link", { kind: "link", target: "/home/me/agent" }],
    ["/usr", { kind: "read-only" }],
  ]);
  expect(sandboxView({ purpose: "shell" }, OPTIONS, { mounts, placeholders: ["/home/me/agent/skills"] })).toMatchObject(
    {
      writable: ["/home/me/agent", "/home/me/agent/modules/data"],
      protected: ["/home/me/agent/modules"],
      hidden: ["/home/me", "/home/me/agent/.env"],
      shown: ["/home/me/tools", "/tmp/shown"],
      private: ["/tmp"],
      placeholders: ["/home/me/agent/skills"],
      network: ["a.example"],
      seconds: 30,
    },
  );
});

test.each([
  [{ timeout: 5 }, { network: "all", seconds: 5 }],
  [{ network: [] }, { network: [], seconds: 60 }],
] as const)("a tool that says %j has %j", (tool, expected) => {
  expect(
    sandboxView({ purpose: toolDoing("return 1;", tool) }, OPTIONS, { mounts: new Map(), placeholders: [] }),
  ).toMatchObject(expected);
});
