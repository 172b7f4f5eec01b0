/** For words about what takes something away. The red of the library is too light for text. */
export const DANGER = 'light-dark(var(--mantine-color-red-8), var(--mantine-color-red-4))';
