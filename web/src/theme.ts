import { createTheme } from '@mantine/core';

/** The head of a dialog is no head of the page, whatever its element would say. */
const DIALOG = { defaultProps: { attributes: { header: { role: 'presentation' } } } };

/** Contrast is that of WCAG AA: the middle shades of the colours are too light for text. */
export const THEME = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: DIALOG,
    Drawer: DIALOG,
    // In forms of ours what may be left out says so.
    InputWrapper: { defaultProps: { withAsterisk: false } },
  },
});
