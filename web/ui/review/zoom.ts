export type Size = { width: number; height: number };
/** How a picture lies on the stage: pixels for one of its own, and its upper left corner. */
export type View = { scale: number; x: number; y: number };
export type Point = { x: number; y: number };

/** Pixels around a fitted picture. The zoom bar is below it. */
const space = { sides: 40, top: 16, bottom: 72 };
const largest = 8;
/** Stages of phones use their whole width. */
const narrow = 600;

/** The whole picture, in the middle of the room that the zoom bar leaves. Small pictures are not blown up. */
export function fitView(picture: Size, stage: Size): View {
  const { sides, top, bottom } = stage.width < narrow ? { sides: 0, top: 0, bottom: 0 } : space;
  const room = { width: Math.max(stage.width - 2 * sides, 1), height: Math.max(stage.height - top - bottom, 1) };
  const scale = Math.min(room.width / picture.width, room.height / picture.height, 1);
  return {
    scale,
    x: (stage.width - picture.width * scale) / 2,
    y: top + (room.height - picture.height * scale) / 2,
  };
}

/** Zooms by a factor; the point below the pointer stays where it is. */
export function zoomAt(view: View, factor: number, at: Point, picture: Size, stage: Size): View {
  const smallest = Math.min(fitView(picture, stage).scale, 1) / 4;
  const scale = Math.min(Math.max(view.scale * factor, smallest), largest);
  const by = scale / view.scale;
  return panWithin({ scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }, picture, stage);
}

export const zoomAtMiddle = (view: View, factor: number, picture: Size, stage: Size): View =>
  zoomAt(view, factor, { x: stage.width / 2, y: stage.height / 2 }, picture, stage);

export const panBy = (view: View, by: Point, picture: Size, stage: Size): View =>
  panWithin({ ...view, x: view.x + by.x, y: view.y + by.y }, picture, stage);

/** At least this much of the picture stays on the stage. */
const visible = 60;

function panWithin({ scale, x, y }: View, picture: Size, stage: Size): View {
  const clamp = (at: number, side: number, room: number) => Math.min(Math.max(at, visible - side), room - visible);
  return { scale, x: clamp(x, picture.width * scale, stage.width), y: clamp(y, picture.height * scale, stage.height) };
}

/** Moves only if the point, in percent of the picture, is outside the stage. */
export function showPoint(view: View, percent: Point, picture: Size, stage: Size): View {
  const at = {
    x: view.x + (percent.x / 100) * picture.width * view.scale,
    y: view.y + (percent.y / 100) * picture.height * view.scale,
  };
  const outside = at.x < 24 || at.y < 24 || at.x > stage.width - 24 || at.y > stage.height - 24;
  if (!outside) return view;
  return panBy(view, { x: stage.width / 2 - at.x, y: stage.height / 2 - at.y }, picture, stage);
}

/** Where a pointer is, in percent of an element. */
export const percentIn = (
  rect: { left: number; top: number } & Size,
  at: { clientX: number; clientY: number },
): Point => {
  const percent = (offset: number, side: number) => Math.min(Math.max((offset / side) * 100, 0), 100);
  return { x: percent(at.clientX - rect.left, rect.width), y: percent(at.clientY - rect.top, rect.height) };
};
