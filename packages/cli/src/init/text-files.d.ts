// Templates are imported as text.
declare module "*.mdx" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: how a text is imported
  export default text;
}
declare module "*.md" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: how a text is imported
  export default text;
}
