import type { Agent } from "@mdx-ai/runtime";
import type { AgentFiles } from "./agent-directory.ts";
import { MINIMAL_AGENT } from "./agent-files.ts";
import type { Reply } from "./replies.ts";

const ssh = `---
name: ssh
description: Establish and manage SSH connections.
triggers: [ssh, Remote Server]
---
# SSH

Keys are in {baseDir}/keys.
`;

export const style = `---
name: style
description: How to answer.
always_inject: true
---
Answer in rhymes.

## Tools

### rhyme
description: Finds a rhyme.
entrypoint: bash:rhyme {word}
schema: {type: object}
`;

const secret = "---\nname: secret\ndescription: Only for the user.\ndisable-model-invocation: true\n---\nPsst.\n";

export const FILES: AgentFiles = {
  "skills/ssh/SKILL.MD": ssh,
  "skills/style/SKILL.md": style,
  "skills/secret/SKILL.md": secret,
  "skills/plain/SKILL.md": "---\nname: plain\ndescription: Read me.\n---\nBody.\n",
};

export const tiers = (more = ""): string => `---\nskills: {catalog: tiers}\n${more}---\n${MINIMAL_AGENT}`;
/** As many replies. */
export const yes = (count: number): readonly Reply[] => Array.from({ length: count }, () => ({ text: "Yes." }));

export const contexts = async (agent: Agent): Promise<readonly string[]> =>
  (await agent.session().messages()).flatMap((message) =>
    message.role === "user" && message.origin === "skill"
      ? message.content.flatMap((block) => (block.type === "text" ? [block.text] : []))
      : [],
  );

export const sshContext = (directory: string): string =>
  `--- ssh skill context ---\n# SSH\n\nKeys are in ${directory}/skills/ssh/keys.`;
