/**
 * Whether a word names an agent elsewhere, which has to be fetched: by a scheme, as an address of SSH, or as an archive. A folder is none:
 * it runs where it is.
 */
export const isSourceWord = (word: string): boolean =>
  /^(?:github|npm|oci|https?|ssh|file|git\+\w+):/i.test(word) ||
  /^[\w][\w.-]*@[\w.-]+:[^:]/.test(word) ||
  /\.(?:tgz|tar\.gz|tar|git)(?:#|$)/i.test(word);
