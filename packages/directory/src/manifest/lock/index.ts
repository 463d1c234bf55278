export { compareLocks } from "./compare-locks.ts";
export { type Difference, type Grade, needsReview } from "./difference.ts";
export { type LockDocument, lockText, makeLock } from "./lock-document.ts";
export { LOCK_FILE, readLock } from "./read-lock.ts";
