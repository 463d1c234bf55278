import type { AgentFiles } from "./agent-directory.ts";

/** The file, in the agent directory, in which every tool with effects notes `begin ID` and `end ID`, on disk at once. */
export const EFFECTS = "effects";

/** Small enough that the second prompt of the plot needs a summary. */
const FRONTMATTER = "---\ncontext: { window: 8000, compactAt: 0.5 }\nretries: [0.02]\n---\n";

const NOTE = `<Tool name="note" description="Notes that it was called">
  <Param name="id" />
  <Param name="wait" type="number" required="false" />

\`\`\`ts
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

async function execute(params: { id: string; wait?: number }, ctx: any) {
  const effects = openSync(ctx.agentDir + "/${EFFECTS}", "a");
  const tell = (text: string) => {
    writeSync(effects, text + "\\n");
    fsyncSync(effects);
  };
  tell("begin " + params.id);
  await Bun.sleep(params.wait ?? 0);
  tell("end " + params.id);
  closeSync(effects);
  return "noted " + params.id;
}
\`\`\`

</Tool>
`;

/** A tool that only looks: it may be called again after a crash. It notes that it was called all the same. */
const LOOK = `import { appendFileSync } from "node:fs";

let folder = "";

const look = {
  name: "look",
  description: "Looks at something and changes nothing",
  parameters: { type: "object", properties: { id: { type: "string" }, words: { type: "number" } }, required: ["id"] },
  readOnly: true,
  execute: async ({ id, words = 1 }) => {
    appendFileSync(folder + "/looks", "begin " + id + "\\n");
    await Bun.sleep(10);
    return Array.from({ length: words }, (_, place) => "calm " + place).join(" ");
  },
};

export default {
  describe: () => ({ name: "looking", description: "Looks" }),
  initialize: async (context) => { folder = context.agentDir; },
  tools: () => [look],
  systemPrompt: () => "",
  start: async () => {},
  stop: () => {},
};
`;

/** The agent that is killed: inline tools with effects, a module's tool without. */
export const crashAgent: AgentFiles = {
  "agent.mdx": `${FRONTMATTER}# Agent: Crash\n\n## Purpose\n\nBe killed.\n\n${NOTE}`,
  "modules/looking.ts": LOOK,
};
