export { abortOf, untilAborted, whenAborted } from "./async/abort.ts";
export { type Clock, steadyClock, systemClock } from "./async/clock.ts";
export { afterTimers, pauses } from "./async/pauses.ts";
export { KeyedSemaphore, Semaphore } from "./async/semaphore.ts";
export { within } from "./async/within.ts";
export { attempt } from "./errors/attempt.ts";
export { errorMessage } from "./errors/error-message.ts";
export { once, warnOfEachOnce, warnOnce } from "./errors/once.ts";
export { errorCode, failureOf, failureText, ifExists, systemErrorText, unlessTaken } from "./errors/system-error.ts";
export { contentHash } from "./hashes/content-hash.ts";
export { fingerprints, sha256, sorted, sortedJson } from "./hashes/fingerprint.ts";
export {
  defined,
  isAmount,
  isBoundedJsonObject,
  isJsonList,
  isJsonObject,
  isList,
  isOptionalAmount,
  isRecord,
  isText,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  jsonValue,
  listOf,
  parseJsonObject,
  recordOf,
  textOf,
  type UnknownRecord,
  wellFormedJson,
} from "./json/json.ts";
export {
  agentIdentity,
  DATA_FOLDERS,
  dataLayout,
  namesVersion,
  sourceLayout,
  VERSIONS_FOLDER,
} from "./paths/agent-layout.ts";
export { type Environment, isNeededVariable } from "./paths/environment.ts";
export { foldersFrom, isWithin } from "./paths/is-within.ts";
export {
  cacheDirectory,
  configurationDirectory,
  homeFolder,
  installDirectory,
  stateDirectory,
} from "./paths/user-directories.ts";
export { type FoundKey, findKeys } from "./redaction/find-keys.ts";
export { type GuardedKeys, redactKey, redactKeys } from "./redaction/redact-key.ts";
export { createRedactor, type LearningRedactor, noRedactor, type Redactor } from "./redaction/redactor.ts";
export { looksSecret, namesSocket, secretForms } from "./redaction/secret-pattern.ts";
export { lineText, oneLine, unicodeEscape } from "./text/line-text.ts";
export { quoted, shownValue } from "./text/quoted.ts";
export { secondsText } from "./text/seconds-text.ts";
export { shellWord } from "./text/shell-word.ts";
export { closest, didYouMean, onlyClosest } from "./text/suggestion.ts";
export { isVisible, shortened, visibleLine, visibleProse, visibleText } from "./text/visible-text.ts";
