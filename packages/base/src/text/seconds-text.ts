/** A number of seconds as text: "1 second", "0.5 seconds". */
export const secondsText = (seconds: number): string => `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
