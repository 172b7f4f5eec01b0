/** The colour of texts about destructive actions. The library's red is too light for text. */
export const DANGER = 'light-dark(var(--mantine-color-red-8), var(--mantine-color-red-4))';
