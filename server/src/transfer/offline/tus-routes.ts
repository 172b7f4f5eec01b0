import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { callerOf } from '../../http/caller.ts';
import { TransferFileParams } from '../contract.ts';
import type { Transfers } from '../transfer.ts';

const BASE = '/api/v2/transfer/sessions';

/** Resumable uploads of the files of OFFLINE sessions by their sender, for `tusRoutes`. */
export function transferTusPlace({ offline, resumable }: Transfers) {
  return {
    url: `${BASE}/:transferId/files/:fileId/tus`,
    params: TransferFileParams.properties,
    access: 'login' as const,
    findPlace: async (request: FastifyRequest) => {
      const params = request.params as Static<typeof TransferFileParams>;
      const { accountId } = callerOf(request);
      const [transferId, fileId] = [params.transferId.toLowerCase(), params.fileId.toLowerCase()];
      const file = await offline.getOwn(accountId, transferId, fileId);
      return {
        destination: resumable.toDestination(accountId, file),
        path: `${BASE}/${transferId}/files/${fileId}/tus`,
      };
    },
  };
}
