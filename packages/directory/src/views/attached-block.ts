/** Tags for text that is sent with the user's words but is not the user's. */
export type AttachedTag = "attached_file" | "attached_resource" | "user_command";

/** A closing tag, which would end such a block early. */
const END = /<\/(?=(?:attached_file|attached_resource|user_command)\s*>)/gi;

/**
 * Wraps text that is sent with the user's words in a block that its content cannot close: text after it would seem to be the user's. The
 * final newline separates the tag from the content.
 */
export function attachedBlock(tag: AttachedTag, attributes: string, content: string): string {
  const kept = content.replace(END, "<\\/");
  return `<${tag}${attributes}>\n${kept}${kept.endsWith("\n") ? "" : "\n"}</${tag}>`;
}
