import type { CSSProperties } from 'react';

/** A style that sets a CSS variable: React supports it, but its types do not. */
export function withVariable(name: `--${string}`, value: string | number): CSSProperties {
  return { [name]: value } as CSSProperties;
}
