import type { EntryRecord } from '../../../../src/drive/contract.ts';
import { makePng } from '../../media/pictures.ts';
import { queueTask, TASKS } from '../../tasks/tasks.ts';
import { forgeZip } from '../../zip/zip-forge.ts';
import { type FaultCase, type Scene, sending } from '../fault-case.ts';

const PICTURE = makePng();
const ARCHIVE = Uint8Array.from(
  forgeZip([
    { name: 'a', content: Buffer.from('content of a') },
    { name: 'in/b', content: Buffer.from('content of b') },
  ]),
);

/** Requests for background tasks. No worker runs them. */
export const TASK_CASES: readonly FaultCase[] = [
  createCase('archive', ({ alice }, name) => alice.upload(`/${name}/file`, name)),
  createCase('extract', ({ alice }, name) => alice.upload(`/${name}/all.zip`, ARCHIVE)),
  createCase('media-metadata', ({ alice }, name) => alice.upload(`/${name}/p.png`, PICTURE, 'image/png')),
  {
    route: `DELETE ${TASKS}/:id`,
    prepare: async ({ alice }, name) => {
      const { id } = await queueTask(alice, await alice.upload(`/${name}`, name));
      return sending(alice, 'DELETE', `${TASKS}/${id}`);
    },
  },
  {
    route: `POST ${TASKS}/:id/retry`,
    // It is queued already.
    repeated: [400],
    prepare: async ({ alice, holdall }, name) => {
      const { id } = await queueTask(alice, await alice.upload(`/${name}`, name));
      await holdall.app.database.transact((tx) =>
        tx
          .updateTable('task')
          .set({ status: 'FAILED', failure_category: 'UNKNOWN', finished_at: holdall.clock.now() })
          .where('id', '=', id)
          .execute(),
      );
      return sending(alice, 'POST', `${TASKS}/${id}/retry`);
    },
  },
];

function createCase(
  what: string,
  prepareFile: (scene: Scene, name: string) => Promise<EntryRecord>,
): FaultCase {
  return {
    route: `POST ${TASKS}/${what}`,
    prepare: async (scene, name) => {
      const { id: fileId, path } = await prepareFile(scene, name);
      return sending(scene.alice, 'POST', `${TASKS}/${what}`, { fileId, path });
    },
  };
}
