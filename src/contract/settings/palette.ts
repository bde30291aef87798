/** The page's own colours, on which the owner's are shown; `styles.css` has the same. */
const [PAGE, WHITE, BLACK] = ['#faf8f4', '#ffffff', '#000000'];
/** Contrast of text by WCAG, level AA. */
const LEAST_CONTRAST = 4.5;
/** The opacity of the footer's small text. */
const FOOTER_OPACITY = 0.9;

export const DEFAULT_COLOURS = { accent: '#96472c', dark: '#23382f' } as const;

const partsOf = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** A colour with a share of another: `mix(dark, white, 0.9)` is a tint. */
function mix(hex: string, other: string, share: number): string {
  const others = partsOf(other);
  const parts = partsOf(hex).map((part, at) => Math.round(part * (1 - share) + (others[at] ?? 0) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance by WCAG. */
function luminance(hex: string): number {
  const linear = (part: number) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const [red = 0, green = 0, blue = 0] = partsOf(hex).map(linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const HEX = /^#[\da-f]{6}$/i;

function contrastProblem(colour: string, other: string): string | undefined {
  if (!HEX.test(colour)) return 'Write the colour as # and six digits, such as #23382f';
  const ratio = contrast(colour, other);
  if (ratio >= LEAST_CONTRAST) return undefined;
  return `Too light to read: its contrast with the page is ${ratio.toFixed(1)} to 1, and text needs ${LEAST_CONTRAST} to 1. Choose a darker one`;
}

/** What is wrong with the colour of words and small badges. */
export const accentProblem = (colour: string) => contrastProblem(colour, PAGE);
/** What is wrong with the colour of buttons and the footer. */
export function darkProblem(colour: string): string | undefined {
  // The footer's small text has the page's colour, and lets some of the background through.
  const footerText = HEX.test(colour) ? mix(PAGE, colour, 1 - FOOTER_OPACITY) : PAGE;
  return contrastProblem(colour, footerText);
}

export interface Colours {
  accent: string;
  dark: string;
}

/** The palette that follows from the owner's two colours, by the names of the style sheet: its accent is the owner's `dark`, its clay the owner's `accent`. */
export const paletteOf = ({ accent, dark }: Colours) => ({
  '--color-clay': accent,
  '--color-accent': dark,
  '--color-accent-deep': mix(dark, BLACK, 0.3),
  '--color-accent-tint': mix(dark, WHITE, 0.9),
});

/** The same as CSS; empty for the default colours, which the style sheet has. */
export function paletteCss(colours: Colours): string {
  if (colours.accent === DEFAULT_COLOURS.accent && colours.dark === DEFAULT_COLOURS.dark) return '';
  return Object.entries(paletteOf(colours))
    .map(([name, colour]) => `${name}:${colour}`)
    .join(';');
}
