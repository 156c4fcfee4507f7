/** The tokens that a studio's accent sets in each scheme. Plain data, so that a form can check it as well. */
export type AccentTokens = {
  accent: string;
  'accent-hover': string;
  'on-accent': string;
  'accent-soft': string;
  'accent-text': string;
};

/** The surfaces of `web/ui/look/tokens.css` on which an accent stands: page, panel, sunken and hover. */
export const surfaces = {
  light: ['#fbfaf8', '#ffffff', '#f4f2ee', '#f1eeea'],
  dark: ['#151412', '#1c1b18', '#11100e', '#252320'],
} as const;

/** What text needs, by WCAG 2.2. */
export const leastContrast = 4.5;

const white = '#ffffff';

/** `#rrggbb` to the tokens of each scheme. The dark accent is a lighter shade of the same hue. */
export function accentTokens(accent: string): Record<'light' | 'dark', AccentTokens> {
  const { lightness, chroma, hue } = toShade(accent);
  const shade = (light: number, mostChroma: number) =>
    toHex({ lightness: light, chroma: Math.min(chroma, mostChroma), hue });
  const softLight = shade(0.95, 0.02);
  const softDark = shade(0.285, 0.035);
  return {
    light: {
      accent: accent.toLowerCase(),
      'accent-hover': toHex({ lightness: Math.max(0, lightness - 0.05), chroma, hue }),
      'on-accent': white,
      'accent-soft': softLight,
      'accent-text': darkerUntil(accent, (text) => passes(text, [...surfaces.light, softLight])),
    },
    dark: {
      accent: shade(0.77, 0.11),
      'accent-hover': shade(0.81, 0.1),
      'on-accent': shade(0.22, 0.027),
      'accent-soft': softDark,
      'accent-text': shade(0.81, 0.1),
    },
  };
}

/** Why an accent cannot be read, and the nearest colour of the same hue that can; null if it can. */
export function accentFault(accent: string): { message: string; nearest: string } | null {
  const page = surfaces.light[0];
  const isReadable = (color: string) => passes(color, [page, white]);
  if (isReadable(accent)) return null;
  const nearest = darkerUntil(accent, isReadable);
  const shown = (surface: string) => `${(Math.floor(contrast(accent, surface) * 100) / 100).toFixed(2)} to 1`;
  return {
    message: `has too little contrast: ${shown(white)} under white, ${shown(page)} on the page, and text needs ${leastContrast} to 1. The nearest color that passes is ${nearest}`,
    nearest,
  };
}

const passes = (color: string, behind: readonly string[]) =>
  behind.every((surface) => contrast(color, surface) >= leastContrast);

function darkerUntil(color: string, isReadable: (color: string) => boolean): string {
  if (isReadable(color)) return color.toLowerCase();
  const { lightness, chroma, hue } = toShade(color);
  for (let light = lightness; light > 0; light -= 0.002) {
    const darker = toHex({ lightness: light, chroma, hue });
    if (isReadable(darker)) return darker;
  }
  return '#000000';
}

/** The contrast of two colors, 1 to 21, by WCAG 2.2. */
export function contrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = toLinear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

type Linear = [red: number, green: number, blue: number];

const toLinear = (color: string): Linear =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Linear;

/** In OKLCH (https://bottosson.github.io/posts/oklab), where equal steps look equal; hue in radians. */
type Shade = { lightness: number; chroma: number; hue: number };

function toShade(color: string): Shade {
  const [red, green, blue] = toLinear(color);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  const lightness = 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short;
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

/** The nearest color that sRGB has: lightness and hue stay. */
function toHex(shade: Shade): string {
  let { chroma } = shade;
  let linear = linearOf({ ...shade, chroma });
  while (chroma > 0 && linear.some((part) => part < -0.0005 || part > 1.0005)) {
    chroma = Math.max(0, chroma - 0.002);
    linear = linearOf({ ...shade, chroma });
  }
  const parts = linear.map((part) => {
    const clipped = Math.min(1, Math.max(0, part));
    const encoded = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}

function linearOf({ lightness, chroma, hue }: Shade): Linear {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
}
