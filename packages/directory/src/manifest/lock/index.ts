export { compareLocks } from "./compare-locks.ts";
export { type Difference, type Grade, needsReview } from "./difference.ts";
export type { LockDocument } from "./lock-document.ts";
export { lockText, makeLock } from "./make-lock.ts";
export { LOCK_FILE, readLock } from "./read-lock.ts";
