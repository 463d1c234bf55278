export { type AgentCardParts, agentCard } from "./agent-card.ts";
