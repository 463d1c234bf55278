export { processText } from "../disk/running-process.ts";
export { type FileLock, LEASE, LockHeldError, lockHolder, takeLock } from "./file-lock.ts";
export { tryLock, withLock } from "./with-lock.ts";
