import { createTheme } from '@mantine/core';

/** Contrast is that of WCAG AA: the middle shades of the colours are too light for text. */
export const THEME = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // In forms of ours what may be left out says so.
    InputWrapper: { defaultProps: { withAsterisk: false } },
  },
});
