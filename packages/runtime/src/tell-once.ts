/** Passes the first message on, and no other. */
export function tellOnce(tell: (message: string) => void = () => {}): (message: string) => void {
  let isTold = false;
  return (message) => {
    if (!isTold) tell(message);
    isTold = true;
  };
}
