import type { FastifyInstance } from 'fastify';
import { Failure } from '../../base/failure.ts';

/** A name or an address, and a port (RFC 9110, section 7.2). Clients may send an empty one. */
const HOST = /^(?:[\w.~%!$&'()*+;=-]{0,255}|\[[\da-f:.]{2,45}\])(?::\d{0,5})?$/i;

/**
 * Rejects requests with two `Host` headers, or an invalid one, as RFC 9112, section 3.2, requires: a proxy in
 * front may have used the other header. Node rejects requests without a `Host`, and repeated lengths.
 */
export function checkHost(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw: { headers, rawHeaders } }, _reply, done) => {
    let count = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index];
      if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
    }
    if (count <= 1 && HOST.test(headers.host ?? '')) done();
    else done(new Failure('invalid', 'The request must have one valid Host header.'));
  });
}
