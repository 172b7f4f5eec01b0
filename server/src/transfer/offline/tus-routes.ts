import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { callerOf } from '../../http/caller.ts';
import type { Transfers } from '../transfer.ts';
import { type TransferFileParams, transferTusOperations } from './contract.ts';

/** Resumable uploads of the files of OFFLINE sessions by their sender, for `tusRoutes`. */
export function transferTusPlace({ offline, resumable }: Transfers) {
  return {
    operations: transferTusOperations,
    findPlace: async (request: FastifyRequest) => {
      const given = request.params as Static<typeof TransferFileParams>;
      const { accountId } = callerOf(request);
      const params = { transferId: given.transferId.toLowerCase(), fileId: given.fileId.toLowerCase() };
      const file = await offline.getOwn(accountId, params.transferId, params.fileId);
      return { destination: resumable.toDestination(accountId, file), params };
    },
  };
}
