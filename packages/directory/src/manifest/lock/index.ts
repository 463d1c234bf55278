export { compareLocks } from "./compare-locks.ts";
export { type Difference, type Grade, needsReview } from "./difference.ts";
export { LOCK_FILE, type LockDocument, lockText, makeLock, readLock } from "./lock-document.ts";
