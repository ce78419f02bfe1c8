import {
  Alert,
  Button,
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  Input,
  Loader,
  type MantineColorsTuple,
  Menu,
  Modal,
  NativeSelect,
  PasswordInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { createElement } from 'react'

const petrol: MantineColorsTuple = [
  '#eef6fa',
  '#d9ecf3',
  '#b3d9e7',
  '#86c3d9',
  '#5aabc8',
  '#3291b2',
  '#17769a',
  '#0c5f80',
  '#094c67',
  '#073b51',
]

const gray: MantineColorsTuple = [
  '#f6f8f9',
  '#eef1f3',
  '#e3e7eb',
  '#d2d8de',
  '#b0b8c1',
  '#838d98',
  '#5d6772',
  '#464f59',
  '#2c333a',
  '#171c21',
]

const dark: MantineColorsTuple = [
  '#e4e8ec',
  '#c0c8d0',
  '#9aa5b0',
  '#6f7a86',
  '#39424b',
  '#2a3239',
  '#1e252b',
  '#161b20',
  '#0f1317',
  '#0a0d10',
]

const red: MantineColorsTuple = [
  '#fdf1f0',
  '#fbe1df',
  '#f5bfbb',
  '#ed9890',
  '#e06f65',
  '#d34e43',
  '#c5352b',
  '#b3261e',
  '#8f1d17',
  '#6b1510',
]

const green: MantineColorsTuple = [
  '#eef8f2',
  '#d9f0e2',
  '#b5e2c5',
  '#86cfa2',
  '#55b87d',
  '#2a9561',
  '#1e7d4f',
  '#166640',
  '#0f5132',
  '#0a3b24',
]

/** IBM Plex Sans is shipped with the pages (styles.ts), so that text looks the same on every device. */
const sans =
  '"IBM Plex Sans", -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace'

const fieldDefaults = { size: 'sm' } as const

export const theme = createTheme({
  colors: { petrol, gray, dark, red, green },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  black: gray[9],
  fontFamily: sans,
  fontFamilyMonospace: mono,
  defaultRadius: 'md',
  radius: { sm: '5px', md: '8px', lg: '12px' },
  fontSizes: { xs: '0.78125rem', sm: '0.875rem', md: '0.9375rem', lg: '1.125rem', xl: '1.25rem' },
  headings: {
    fontFamily: sans,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  respectReducedMotion: true,
  components: {
    // No asterisk, because the label is the field's accessible name. Optional fields are marked instead.
    InputWrapper: Input.Wrapper.extend({ defaultProps: { withAsterisk: false } }),
    TextInput: TextInput.extend({ defaultProps: fieldDefaults }),
    NativeSelect: NativeSelect.extend({
      defaultProps: {
        ...fieldDefaults,
        rightSection: createElement(IconChevronDown, { size: 16, 'aria-hidden': true }),
      },
    }),
    Textarea: Textarea.extend({ defaultProps: fieldDefaults }),
    PasswordInput: PasswordInput.extend({ defaultProps: fieldDefaults }),
    Checkbox: Checkbox.extend({ defaultProps: { radius: 'sm' } }),
    Text: Text.extend({ defaultProps: { size: 'sm' } }),
    Loader: Loader.extend({ defaultProps: { type: 'oval' } }),
    Alert: Alert.extend({ defaultProps: { variant: 'light', radius: 'md' } }),
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    // Rendered in the header, so that its items belong to a landmark. The first item gets the focus.
    Menu: Menu.extend({ defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        padding: 'lg',
        radius: 'lg',
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: { header: { role: 'none' } }, // otherwise the page has a second banner
        transitionProps: { duration: 120 },
      },
    }),
  },
})

/** Replaces Mantine's colors that fall short of WCAG AA (4.5:1 for text), and sets the page color behind the cards. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--remit-page': gray[0],
    '--remit-line': gray[2],
    '--remit-field': gray[5],
    '--remit-incoming': green[7],
    '--remit-chart': petrol[6],
    '--remit-chart-waiting': petrol[3],
    '--remit-chart-failed': red[5],
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-error': red[7],
    '--mantine-color-default-border': gray[3],
  },
  dark: {
    '--remit-page': dark[8],
    '--remit-line': dark[5],
    '--remit-field': dark[3],
    '--remit-incoming': green[3],
    '--remit-chart': petrol[4],
    '--remit-chart-waiting': petrol[7],
    '--remit-chart-failed': red[4],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-error': red[3],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-petrol-light': petrol[9],
    '--mantine-color-petrol-light-hover': petrol[8],
    '--mantine-color-gray-light': dark[5],
    '--mantine-color-green-light': 'rgb(42 149 97 / 24%)',
    '--mantine-color-red-light': 'rgb(211 78 67 / 22%)',
  },
})
