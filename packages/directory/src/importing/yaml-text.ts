/** Characters that YAML does not take as they are, though JSON does. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

/** Texts that YAML reads as nothing but text, also without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w ./-]*[\w.]$/i;

/** A text as a value or key of YAML, on one line. */
export const yamlText = (text: string): string =>
  PLAIN.test(text) ? text : JSON.stringify(text).replace(UNPRINTABLE, (character) => `\\u${hex(character)}`);

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, "0");
