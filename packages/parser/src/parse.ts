export { type ParsedHeartbeat, parseHeartbeat } from "./heartbeat/parse-heartbeat.ts";
export { type ParsedAgent, parseAgentMdx } from "./mdx/parse-agent-mdx.ts";
export { parseIdentity } from "./mdx/parse-identity.ts";
export { type ParsedSkill, parseSkill } from "./skills/parse-skill.ts";
