import { Later } from '../../../common/later.ts';

/** The queue and what fills it, loaded after the first page. */
export const uploadsLater = new Later(() => import('./upload-picked.ts'));
