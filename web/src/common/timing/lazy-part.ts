import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { LazyModule } from './lazy-module.ts';

/**
 * A component that is loaded when it is first shown. Loading is retried until it succeeds. React's `lazy`
 * alone would show an error until the page is reloaded.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(new LazyModule(async () => ({ default: await load() })).get);
}
