import type { CSSProperties } from 'react';

/** A style that sets a variable of the style sheet: React takes them, its types do not know them. */
export function withVariable(name: `--${string}`, value: string | number): CSSProperties {
  return { [name]: value } as CSSProperties;
}
