import type { CommandSpec } from "../packages/cli/src/arguments/command-spec.ts";
import { EVERYWHERE } from "../packages/cli/src/arguments/shared-options.ts";
import { COMMANDS } from "../packages/cli/src/command-table/command-table.ts";
import { EXIT_CODES, optionUsage } from "../packages/cli/src/command-table/help-text.ts";

/** The manual page `mdx-ai(1)`, as roff. */
export const manualPage = (version: string): string =>
  [
    `.TH MDX-AI 1 "" "mdx-ai ${version}" "User Commands"`,
    ".SH NAME\nmdx-ai \\- run an AI agent that is a directory",
    ".SH SYNOPSIS\n.B mdx-ai\n.I DIR\n[options]\n.br\n.B mdx-ai\n.I COMMAND\n[arguments] [options]",
    ".SH DESCRIPTION\nAn agent is a directory: its identity and its tools are in one file, agent.mdx; skills, a heartbeat and " +
      "modules are files beside it; its sessions, state and logs are plain files. Without a command, mdx-ai talks with the " +
      "agent in a directory.",
    ".SH COMMANDS",
    ...COMMANDS.map(commandSection),
    ".SH OPTIONS OF ALL COMMANDS",
    ...EVERYWHERE.map((option) => item(optionUsage(option).trim(), option.summary)),
    ".SH EXIT STATUS",
    ...EXIT_CODES.map(([code, meaning]) => item(code, meaning)),
    ".SH FILES",
    item("~/.config/mdx-ai/settings.yaml", "what you allow and deny for all agents"),
    "",
  ].join("\n");

const commandSection = ({ name, positionals, summary, options, examples }: CommandSpec): string =>
  [
    `.SS ${roff(`mdx-ai ${name} ${positionals}`.trim())}`,
    roff(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`),
    ...options.map((option) => item(optionUsage(option).trim(), option.summary)),
    ...examples.map(([command, does]) => `.PP\n.B ${roff(command)}\n.br\n${roff(does)}`),
  ].join("\n");

const item = (term: string, meaning: string): string => `.TP\n.B ${roff(term)}\n${roff(meaning)}`;

/** A line of text; a leading dot or quote would be a request. */
const roff = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replaceAll("…", "...")
    .replace(/^([.'])/, "\\&$1");
