export { parseIdentity } from "./agent/identity.ts";
export { defineAgent, parseAgentMdx } from "./define-agent.ts";
export { escapeRemovals } from "./elements/escapes.ts";
export { parseHeartbeat } from "./heartbeat/parse-heartbeat.ts";
export { parseSkill } from "./skills/parse-skill.ts";
