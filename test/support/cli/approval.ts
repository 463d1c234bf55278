// What tests use of the folder `approval` of the command: what a question about a call shows.
export { type Asked, approvalContent, visibleLine } from "../../../packages/cli/src/approval/approval-content.ts";
export { type FileDifference, fileDifference } from "../../../packages/cli/src/approval/file-difference.ts";
export { framedLines } from "../../../packages/cli/src/approval/framed-lines.ts";
