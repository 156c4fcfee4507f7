import type { Box } from '../../ui/review/place.ts';

const cropSize = { width: 96, height: 64 };

/** A point is shown with this share of the picture's width around it, a region with some margin. */
const aroundPoint = 0.3;
const margin = 1.6;

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), Math.max(most, least));

/** How a picture of this size lies behind the crop, and where its pin or region is, in pixels of the crop. */
export function cropOf(box: Box, picture: { width: number; height: number }) {
  const ratio = cropSize.width / cropSize.height;
  const region = { width: (box.w / 100) * picture.width, height: (box.h / 100) * picture.height };
  const needed = Math.max(region.width * margin, region.height * margin * ratio, picture.width * aroundPoint);
  const seen = Math.min(needed, picture.width, picture.height * ratio);
  const scale = cropSize.width / seen;
  const center = { x: ((box.x + box.w / 2) / 100) * picture.width, y: ((box.y + box.h / 2) / 100) * picture.height };
  const left = between(0, center.x - seen / 2, picture.width - seen);
  const top = between(0, center.y - seen / ratio / 2, picture.height - seen / ratio);
  return {
    picture: { width: picture.width * scale, left: -left * scale, top: -top * scale },
    pin: { left: (center.x - left) * scale, top: (center.y - top) * scale },
    region: { width: region.width * scale, height: region.height * scale },
  };
}
