import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core';

/** Ink: means "interactive" or "selected", and nothing else. */
const BLUE: MantineColorsTuple = [
  '#eff3fb',
  '#dde6f7',
  '#bccdf0',
  '#96b1e7',
  '#809fe1',
  '#5580d2',
  '#3d69c4',
  '#2f59b4',
  '#274c9e',
  '#1d3a7c',
];

/** The accent: the logo, folders, stars, and marks of what is new. */
const BRASS: MantineColorsTuple = [
  '#fbf6ea',
  '#f4e9d0',
  '#ead4a2',
  '#dfbe72',
  '#d5aa4a',
  '#c4952f',
  '#a67a20',
  '#85611a',
  '#6f5115',
  '#4f390c',
];

/** Warm, like canvas. */
const GRAY: MantineColorsTuple = [
  '#f8f6f1',
  '#f2efe9',
  '#e9e5dd',
  '#ddd8ce',
  '#cdc7bb',
  '#aca599',
  '#888279',
  '#625d55',
  '#3a3732',
  '#211f1c',
];

/** Tinted with ink. The content has shade 7, what is around it 8, and what is above it 6. */
const DARK: MantineColorsTuple = [
  '#d0d4dc',
  '#a4abb8',
  '#7f8795',
  '#646c7a',
  '#393f4a',
  '#2e333d',
  '#252a33',
  '#1b1f26',
  '#13161b',
  '#0d0f13',
];

/** A title of 24 px, and one of 16 px. */
const TITLE = { fontSize: '1.5rem', lineHeight: '2rem' };
const SUBTITLE = { fontSize: '1rem', lineHeight: '1.5rem' };

/** The title of a dialog is not a heading of the page, although Mantine's element says so. */
const DIALOG = {
  defaultProps: { attributes: { header: { role: 'presentation' } } },
  styles: { title: { fontWeight: 600 } },
};

/** Ensures contrast according to WCAG AA. The middle shades of the colours are too light for text. */
export const THEME = createTheme({
  fontFamily:
    '"Inter Variable", "Inter Fallback", -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, ' +
    'Helvetica, Arial, sans-serif, "Apple Color Emoji", "Segoe UI Emoji"',
  headings: {
    fontWeight: '600',
    sizes: { h1: TITLE, h2: TITLE, h3: TITLE, h4: SUBTITLE, h5: SUBTITLE },
  },
  black: '#1d1b18',
  colors: { blue: BLUE, brass: BRASS, gray: GRAY, dark: DARK },
  primaryColor: 'blue',
  primaryShade: 8,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Default buttons have a background instead of an outline. Forced colours draw the transparent border.
  variantColorResolver: (input) => ({
    ...defaultVariantColorsResolver(input),
    ...(input.variant === 'default' && {
      background: 'var(--holdall-quiet)',
      hover: 'var(--holdall-quiet-hover)',
      border: '1px solid transparent',
    }),
  }),
  components: {
    Modal: DIALOG,
    Drawer: DIALOG,
    Badge: { styles: { root: { textTransform: 'none' } } },
    // In our forms, optional fields are marked instead of required ones.
    InputWrapper: { defaultProps: { withAsterisk: false } },
  },
});
