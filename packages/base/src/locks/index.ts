export { type FileLock, LEASE, LockHeldError, lockHolder, takeLock } from "./file-lock.ts";
export { holderText } from "./lock-holder.ts";
export { tryLock, withLock } from "./with-lock.ts";
