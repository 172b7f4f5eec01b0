import { after } from 'node:test';

/**
 * Replaces a method until the end of the test file. `mock.method` would keep every call in memory, and these
 * methods are called a million times.
 */
export function replaceMethod<T extends object>(
  target: T,
  name: keyof T & string,
  replacement: (this: never, ...parameters: never[]) => unknown,
): void {
  const original = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value: replacement, configurable: true, writable: true });
  after(() => {
    if (original === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, original);
  });
}
