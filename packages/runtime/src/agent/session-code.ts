/** Loads the code with which sessions repeat past events, answer questions and change, which else is loaded when one needs it first. */
export async function loadSessionCode(): Promise<void> {
  await Promise.all([
    import("../recording/recorded-events.ts"),
    import("./session-changes.ts"),
    import("./session-questions.ts"),
  ]);
}
