import { Later } from '../../../common/later.ts';

/** What puts files into the queue, and the queue: no part of the first page. */
export const uploadsLater = new Later(() => import('./upload-picked.ts'));
