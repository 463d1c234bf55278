export { type AcpOptions, serveAcp } from "./serve-acp.ts";
