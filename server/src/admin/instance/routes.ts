import { callerOf, requesterOf } from '../../http/caller.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { checkContentLength, readFileForm, readSmallFile } from '../../http/forms/multipart.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { deleteLogo, setInstanceTexts, setLogo } from './contract.ts';
import type { AdminInstance } from './instance.ts';

const MAX_LOGO_BYTES = 5 * 1024 ** 2;
const LOGO_TOO_LARGE = 'A logo must not be larger than 5 MiB.';

/** How the instance presents itself. */
export function adminInstanceRoutes(server: Server, instance: AdminInstance): void {
  mount(server, setInstanceTexts, async (request) => instance.setTexts(callerOf(request), request.body));

  mount(server, setLogo, async (request, reply) => {
    checkContentLength(request, MAX_LOGO_BYTES, LOGO_TOO_LARGE);
    const { received } = await readFileForm(request, ({ bytes }) =>
      readSmallFile(bytes, MAX_LOGO_BYTES, LOGO_TOO_LARGE),
    );
    const from = { requester: requesterOf(request), signal: clientSignalOf(reply) };
    return instance.setLogo(callerOf(request), received, from);
  });

  mount(server, deleteLogo, async (request) => instance.deleteLogo(callerOf(request)));
}
