export { defineAgent } from "./define-agent.ts";
export { type ParsedHeartbeat, parseHeartbeat } from "./heartbeat/parse-heartbeat.ts";
export { escapeRemovals } from "./mdx/escapes.ts";
export { parseIdentity } from "./mdx/identity.ts";
export { type ParsedAgent, parseAgentMdx } from "./mdx/parse-agent-mdx.ts";
export { ELEMENT_NAMES } from "./mdx/syntax-tree.ts";
export { type ParsedSkill, parseSkill } from "./skills/parse-skill.ts";
