// A model on loopback, of either protocol, in a process of its own, that begins an answer and never ends it. Prints its address, then the time
// at which each connection was closed by the client: milliseconds since 1970, with fractions.
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
