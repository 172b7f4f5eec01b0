import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { clearFailedMails, getMail } from './contract.ts';
import type { AdminMail } from './mail.ts';

/** The state of mail. */
export function adminMailRoutes(server: Server, mail: AdminMail): void {
  mount(server, getMail, async () => mail.describe());

  mount(server, clearFailedMails, async (request) => {
    await mail.clearFailed(callerOf(request));
  });
}
