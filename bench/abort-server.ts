// A model on loopback for both protocols, in a separate process, that starts an answer and never ends it. Prints its address, then the
// times at which clients closed their connections: milliseconds since 1970, with fractions.
import { answer } from "./answer.ts";

const now = (): number => performance.timeOrigin + performance.now();

const { head, delta } = answer({ kind: "text" }, 1);
const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}\n\n';

const server = Bun.listen({
  port: 0,
  hostname: "127.0.0.1",
  socket: {
    data(socket, request) {
      const begin = request.includes("/chat/completions") ? chunk : head + delta;
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${begin}`);
    },
    close() {
      console.log(now());
    },
  },
});
console.log(`http://127.0.0.1:${server.port}`);
