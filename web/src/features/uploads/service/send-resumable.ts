import { addressOf } from '../../../api/address-of.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { accessToken } from '../../../api/session.ts';
import { runTusUpload } from './tus-upload.ts';
import type { Watch } from './upload-service.ts';

/** Sends a file to its session. @throws HoldallError; `signal.reason` */
export function sendResumable(drive: DriveId, sessionId: string, file: File, watch: Watch): Promise<void> {
  const options = {
    uploadUrl: addressOf('PATCH /api/v2/files/tus/{sessionId}', { path: { sessionId }, drive }),
    storeFingerprintForResuming: false,
    onBeforeRequest: async (request: { setHeader(name: string, value: string): void }) => {
      request.setHeader('Authorization', `Bearer ${await accessToken()}`);
    },
  };
  return runTusUpload(file, { options }, watch);
}
