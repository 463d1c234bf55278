import { pathWithin } from "../files/real-place.ts";
import type { ToolTouch } from "../types/permission.ts";
import { escaped } from "./wildcards.ts";

/** The pattern that lets a call through and, but for a tool whose touch is not known, none that touches something else. */
export function patternOf(tool: string, touch: ToolTouch, agentDir: string): string {
  switch (touch.kind) {
    case "read":
    case "write":
      return `${escaped(tool)}(${escaped(pathPatternOf(touch.path, agentDir))})`;
    case "command":
      return `${escaped(tool)}(${escaped(touch.command)})`;
    case "call":
      return escaped(tool);
  }
}

function pathPatternOf(path: string, agentDir: string): string {
  const place = pathWithin(agentDir, path);
  return place === undefined || place === "" || place.startsWith("~") ? path : place;
}
