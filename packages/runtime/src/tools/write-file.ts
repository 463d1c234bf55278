import { resolve } from "node:path";
import { replaceFile } from "../files/replace-file.ts";
import type { AgentTool } from "../types/tool.ts";
import { fileError } from "./file-error.ts";
import { keepOwnerAndMode } from "./keep-owner-and-mode.ts";
import { writableTarget } from "./writable-target.ts";

/** The builtin tool `write_file`. Relative paths start at `agentDir`. */
export function writeFileTool(agentDir: string): AgentTool {
  return {
    name: "write_file",
    description:
      "Write a text file, replacing what it held. A relative path starts at the agent's directory. Missing folders are made.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file" },
        content: { type: "string", description: "The whole text of the file" },
      },
      required: ["path", "content"],
    },
    execute: async (args) => {
      const path = resolve(agentDir, String(args["path"]));
      const bytes = Buffer.from(String(args["content"]), "utf8");
      try {
        const { path: target, existing } = await writableTarget(path);
        await replaceFile({
          path: target,
          mode: existing ? 0o600 : 0o666,
          fill: async (draft) => {
            await draft.writeFile(bytes);
            if (existing) await keepOwnerAndMode(draft, existing);
          },
        });
        return `${existing ? "replaced" : "created"} ${path}: ${bytes.length} bytes written`;
      } catch (error) {
        throw fileError(error, path);
      }
    },
  };
}
