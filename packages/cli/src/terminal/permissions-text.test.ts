import { describe, expect, test } from "bun:test";
import { permissionsText } from "./permissions-text.ts";

const END =
  "A later rule overrides an earlier one, and your denials override all; a call that no rule covers needs approval if it may do harm.";

const ASK = "Mode ask: asks before writing in the workspace";

describe("/permissions", () => {
  test("shows the rules of the directory, the settings, the flags and the answers, in the order in which they count", () => {
    const directory = { permissions: { bash: "ask", write_file: { allow: ["out/**"] } }, sandbox: "auto" } as const;
    const user = {
      settings: { "mcp.*": "deny" },
      allow: ["bash(git *)"],
      deny: ["bash(rm *)"],
      allowsAll: true,
    } as const;
    const grants = [
      { pattern: "bash(make)", answer: "session" },
      { pattern: "bash(ls)", answer: "always" },
    ] as const;
    const sandbox = {
      mode: "required",
      network: ["a.example", "b.example"],
      read: ["/data"],
      write: ["/out"],
    } as const;
    expect(permissionsText({ directory, user, sandbox }, grants, "ask").split("\n")).toStrictEqual([
      ASK,
      "This directory",
      "  bash: ask",
      "  write_file(out/**): allow",
      "Your settings",
      "  mcp.*: deny",
      "Your flags",
      "  --allow bash(git *)",
      "  --allow-all",
      "  --deny bash(rm *)",
      "Your answers",
      "  bash(make): this session",
      "  bash(ls): always",
      "Sandbox",
      "  required",
      "  network: a.example, b.example",
      "  read: /data",
      "  write: /out",
      END,
    ]);
  });

  test("says what counts where there is no rule", () => {
    expect(permissionsText({ directory: {}, user: undefined, sandbox: undefined }, [], "ask")).toBe(`${ASK}\n${END}`);
  });

  test("shows what a pattern hides", () => {
    const directory = { permissions: { "bash(x\u202ey)": "allow" } } as const;
    expect(permissionsText({ directory, user: {}, sandbox: undefined }, [], "ask")).toContain(
      "bash(x\\u{202e}y): allow",
    );
  });
});
