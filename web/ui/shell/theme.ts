import { createTheme, type CSSVariablesResolver, type VariantColorsResolver } from '@mantine/core';

/** Mantine uses only the tokens of `../look/tokens.css`. */
const variantColorResolver: VariantColorsResolver = ({ variant, color }) => {
  const destructive = color === 'bad';
  const ink = destructive ? 'var(--bad)' : 'var(--ink)';
  switch (variant) {
    case 'filled':
      return {
        background: destructive ? 'var(--bad)' : 'var(--accent)',
        hover: destructive ? 'var(--bad-hover)' : 'var(--accent-hover)',
        color: 'var(--on-accent)',
        border: '1px solid transparent',
      };
    case 'default':
      return { background: 'var(--panel)', hover: 'var(--sunken)', color: ink, border: '1px solid var(--strong-line)' };
    default:
      return { background: 'transparent', hover: 'var(--hover)', color: ink, border: '1px solid transparent' };
  }
};

const input = { defaultProps: { size: 'sm' } };
const box = { defaultProps: { color: 'var(--accent)', iconColor: 'var(--on-accent)' } };
/** Not `<header>`, which would be a second banner of the page. */
const head = { defaultProps: { component: 'div' } };
const title = { fontWeight: 600, fontSize: 16 };

// Components by name: importing each one would load all of them with the first page.
export const theme = createTheme({
  fontFamily: 'Inter, "Until Inter", "Until Inter on Debian", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "JetBrains Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '12.5px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: 7,
  focusRing: 'auto',
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    Button: { defaultProps: { size: 'sm', h: 34, px: 14, fw: 500 } },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 30 } },
    InputWrapper: {
      defaultProps: { withAsterisk: false },
      styles: {
        label: { fontSize: 13.5, fontWeight: 500, marginBottom: 4 },
        description: { fontSize: 12.5, lineHeight: 1.4, color: 'var(--second)' },
      },
    },
    TextInput: input,
    PasswordInput: {
      defaultProps: { ...input.defaultProps, visibilityToggleButtonProps: { 'aria-label': 'Show the password' } },
    },
    Textarea: input,
    Checkbox: box,
    Radio: box,
    Select: {
      defaultProps: {
        ...input.defaultProps,
        allowDeselect: false,
        checkIconPosition: 'right',
        // Options are rendered on opening, because they slow down the page on phones.
        comboboxProps: { keepMounted: false },
      },
    },
    Switch: { defaultProps: { withThumbIndicator: false } },
    SegmentedControl: {
      defaultProps: { size: 'xs', withItemsBorders: false },
      styles: {
        root: { background: 'var(--panel)', border: '1px solid var(--strong-line)' },
        indicator: { background: 'var(--hover)', boxShadow: 'none' },
      },
    },
    Menu: { defaultProps: { position: 'bottom-end', width: 220, shadow: 'none' } },
    Modal: {
      defaultProps: {
        radius: 10,
        padding: 24,
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        transitionProps: { transition: 'fade', duration: 150 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title },
    },
    Drawer: { styles: { title } },
    ModalHeader: head,
    DrawerHeader: head,
    Tooltip: {
      defaultProps: { events: { hover: true, focus: true, touch: true }, maw: 280, multiline: true, openDelay: 150 },
      styles: { tooltip: { background: 'var(--ink)', color: 'var(--page)', fontSize: 12.5 } },
    },
    Skeleton: { defaultProps: { radius: 6 } },
  },
});

const both = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--third)',
  '--mantine-color-placeholder': 'var(--third)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-default': 'var(--panel)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--strong-line)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--third)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: both, dark: both });
