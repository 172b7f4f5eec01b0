import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** Answers one request. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A program on loopback that gives the answers in turn, and the last one again and again. */
export async function answerInTurn(
  answers: readonly [Answer, ...Answer[]],
): Promise<{ readonly url: string; readonly requests: readonly string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const [first] = answers;
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? first;
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  // The address of a TCP server that listens is an object with a port.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** An envelope with this status and code. */
export function envelope(
  status: number,
  code: number,
  data: unknown = null,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return (_request, response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': 'request-7',
      ...headers,
    });
    response.end(JSON.stringify({ code, msg: `message of ${code}`, data }));
  };
}
