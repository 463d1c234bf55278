import { defined } from "@mdx-ai/base";
import { byPosition, locate, type Report } from "../report.ts";
import { SourceText } from "../source-text.ts";
import type { AgentSettings, OwnSettings } from "../types/agent-settings.ts";
import type { Diagnostic, SourcePoint } from "../types/diagnostic.ts";
import type { SandboxPath } from "./check-sandbox.ts";

/** What a user's own settings file says. */
export interface UserSettings {
  readonly settings: Pick<AgentSettings, "permissions" | "mode" | "sandbox" | "credentials" | "mcp"> &
    OwnSettings & {
      /** Of all agents. Absent: each agent's own. */
      readonly memory?: "on" | "off";
    };
  /** By position, all of them errors: a denial may be what could not be read. */
  readonly problems: readonly Diagnostic[];
  /** The paths of `sandbox.read` and `sandbox.write`, each with its position. */
  readonly sandboxPaths: readonly UserSandboxPath[];
}

/** A path that the user's sandbox shows, and its position in the file. */
export interface UserSandboxPath extends SandboxPath, SourcePoint {}

/**
 * Reads the text of a user's own settings file: YAML that `userSettings` describes. Wrong settings are reported and left
 * out; `file` is the name in the diagnostics. Never rejects. The YAML reader is loaded with the first call.
 */
export async function readUserSettings(text: string, file = "settings.yaml"): Promise<UserSettings> {
  const [{ readSettings }, { userSettings }] = await Promise.all([
    import("./read-settings.ts"),
    import("./user-settings-schema.ts"),
  ]);
  const source = new SourceText(text);
  const problems: Diagnostic[] = [];
  const report: Report = (problem) => problems.push(locate({ ...problem, severity: "error" }, source, file));
  const read = readSettings(source.text, { base: 0, report, schema: userSettings });
  const {
    permissions,
    mode,
    sandbox,
    credentials,
    mcp,
    memory,
    statusbar,
    tool_output,
    notify,
    theme,
    plain,
    web_search,
  } = read.settings;
  const settings = {
    ...defined({
      permissions,
      mode,
      sandbox,
      credentials,
      mcp,
      statusbar,
      tool_output,
      notify,
      theme,
      plain,
      web_search,
    }),
    ...(memory !== undefined && { memory: memory === "off" ? memory : ("on" as const) }),
  };
  const sandboxPaths = read.sandboxPaths.map(({ access, path, offset }) => ({
    access,
    path,
    ...source.pointAt(offset),
  }));
  return { settings, problems: problems.sort(byPosition), sandboxPaths };
}
