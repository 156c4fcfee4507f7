import { createElement, type SVGProps } from 'react';

type IconProps = Omit<SVGProps<SVGSVGElement>, 'stroke'> & {
  /** Pixels. */
  size?: number;
  /** The width of its lines, of 24 units across. */
  stroke?: number;
};
export type Icon = (props: IconProps) => React.ReactElement;

const square = { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 24 24' };
const round = { strokeLinecap: 'round', strokeLinejoin: 'round' } as const;

/** An icon of lines. */
export const icon =
  (d: string): Icon =>
  ({ size = 24, stroke = 2, ...rest }) =>
    draw(d, { ...square, ...round, fill: 'none', stroke: 'currentColor', strokeWidth: stroke }, size, rest);

/** An icon of areas. */
export const filledIcon =
  (d: string): Icon =>
  ({ size = 24, ...rest }) =>
    draw(d, { ...square, fill: 'currentColor', stroke: 'none' }, size, rest);

const draw = (d: string, look: object, size: number, rest: object) =>
  createElement('svg', { ...look, width: size, height: size, ...rest }, createElement('path', { d }));
