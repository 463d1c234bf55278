/** The tags of what is sent with the user's words and is not theirs. */
type AttachedTag = "attached_file" | "attached_resource" | "user_command";

/** What would end such a block. */
const END = /<\/(?=(?:attached_file|attached_resource|user_command)\s*>)/gi;

/**
 * What is sent with the user's words, in a block that its content cannot end: text behind it would seem to be the user's. The end
 * of a line of its own keeps the tags apart from the content.
 */
export function attachedBlock(tag: AttachedTag, attributes: string, content: string): string {
  const kept = content.replace(END, "<\\/");
  return `<${tag}${attributes}>\n${kept}${kept.endsWith("\n") ? "" : "\n"}</${tag}>`;
}
