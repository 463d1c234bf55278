import { describe, expect, test } from "bun:test";
import { writeFiles } from "../../support/agent-files.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { run, team, teamModel, toolTexts } from "../../support/team.ts";

const agent = (name: string, more = "description: Looks things up\n"): string => `---\n${more}---\nYou are ${name}.\n`;

const PROJECTS = {
  ".claude": {
    "work/CLAUDE.md": "You are Lead.\n",
    "work/.claude/agents/finder.md": agent("Finder", "name: finder\ndescription: Looks things up\n"),
    "work/.claude/agents/silent.md": agent("Silent", "name: silent\n"),
  },
  ".opencode": {
    "work/AGENTS.md": "You are Lead.\n",
    "work/.opencode/agent/finder.md": agent("Finder", "description: Looks things up\nmode: subagent\n"),
    "work/.opencode/agent/build.md": agent("Build", "description: Builds\nmode: primary\n"),
    "work/.opencode/agent/idle.md": agent("Idle", "description: Idles\ndisable: true\n"),
  },
} as const;

describe.each([".claude", ".opencode"] as const)("the agents of a project's %s", (source) => {
  test("are tools of the agent that init makes of it, and answer when it calls them", async () => {
    using lead = team({});
    writeFiles(lead.folder, PROJECTS[source]);
    const made = await runCommandLine(["init", "lead", "--from", `work/${source}`], { home: lead.folder });
    expect(made).toMatchObject({ exitCode: 0 });
    const model = teamModel({ Finder: ["Under the table."], Lead: [{ finder: "Where is it?" }, "Found."] });
    const opened = await lead.open(model);
    try {
      await run(opened, "Find it.");
      const [asked, inner] = model.requests;
      const names = asked?.tools.map(({ name }) => name);
      expect(names).toContain("finder");
      expect(asked?.tools.find(({ name }) => name === "finder")?.description).toContain("Looks things up");
      for (const name of ["silent", "build", "idle"]) expect(names).not.toContain(name);
      expect(inner?.system).toContain("You are Finder.");
      expect(JSON.stringify(inner?.messages)).toContain("Where is it?");
      expect(toolTexts(await opened.agent.session().messages())).toStrictEqual(["Under the table."]);
    } finally {
      await opened.close();
    }
  });
});
