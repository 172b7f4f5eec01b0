import { Later } from '../../../common/timing/later.ts';

/** The queue and what fills it, loaded after the first page. */
export const uploadsLater = new Later(() => import('./upload-picked.ts'));
