import { createTheme } from '@mantine/core';

/** The title of a dialog is not a heading of the page, although Mantine's element says so. */
const DIALOG = {
  defaultProps: { attributes: { header: { role: 'presentation' } } },
  styles: { title: { fontWeight: 600 } },
};

/** Ensures contrast according to WCAG AA. The middle shades of the colours are too light for text. */
export const THEME = createTheme({
  primaryColor: 'blue',
  primaryShade: 8,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: DIALOG,
    Drawer: DIALOG,
    Badge: { styles: { root: { textTransform: 'none' } } },
    // In our forms, optional fields are marked instead of required ones.
    InputWrapper: { defaultProps: { withAsterisk: false } },
  },
});
