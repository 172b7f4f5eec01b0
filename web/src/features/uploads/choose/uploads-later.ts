import { LazyModule } from '../../../common/timing/lazy-module.ts';

/** The queue and what fills it, loaded after the first page. */
export const uploadsLater = new LazyModule(() => import('./upload-picked.ts'));
