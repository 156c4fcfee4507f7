import { frameAt, frameFrom, type Frames, middleOf, neighborOf, thousandths } from './frames.ts';

/** How many milliseconds to wait for the frame after a seek. */
const patience = 250;
/** Seconds from the start of a frame of unknown length to a time that is surely in it. */
const inside = 0.004;

export type FilmFrames = ReturnType<typeof filmFrames>;

/** Knows which frame of a film is on the screen, and steps to others. `index`: from the file, once read. */
export function filmFrames(film: HTMLVideoElement, onFrame: () => void) {
  let index: Frames | null = null;
  /** When the frame on the screen begins, as the browser tells it. */
  let shown: number | null = null;
  /** `currentTime` lies in the frame on the screen. While a film plays it runs ahead of it. */
  let isSettled = true;
  let shortest = Infinity;
  let steps = Promise.resolve();
  const leave = new AbortController();
  const on = (name: string, run: () => void) => film.addEventListener(name, run, { signal: leave.signal });
  on('play', () => (isSettled = false));
  on('seeking', () => (isSettled = film.paused));
  // A frame may still be on its way to the screen.
  on('pause', () => requestAnimationFrame(() => requestAnimationFrame(() => film.paused && settle())));
  let next = 0;
  const listen = () => (next = film.requestVideoFrameCallback(tell));
  function tell(_: number, { mediaTime }: { mediaTime: number }): void {
    shown = mediaTime;
    if (index && frameFrom(index, mediaTime) === null) index = null;
    onFrame();
    listen();
  }
  listen();

  /** A time inside the frame on the screen. */
  function now(): number {
    const { currentTime, seeking } = film;
    const exact = shown === null || isSettled || !index ? null : frameFrom(index, shown);
    if (index) return middleOf(index, film.ended ? index.length : (exact ?? frameAt(index, currentTime)));
    if (film.ended) return thousandths(currentTime);
    return shown === null || seeking ? thousandths(currentTime) : thousandths(shown + Math.min(shortest / 2, inside));
  }
  function settle(): void {
    if (isSettled || film.ended) return;
    film.currentTime = now();
    isSettled = true;
  }
  /** Goes to a time and answers when the frame that is shown there begins. */
  async function show(time: number): Promise<number> {
    film.currentTime = time;
    await new Promise((resolve) => film.addEventListener('seeked', resolve, { once: true, signal: leave.signal }));
    await new Promise((resolve) => {
      film.requestVideoFrameCallback(resolve);
      setTimeout(resolve, patience);
    });
    return shown ?? time;
  }
  async function stepSeen(by: 1 | -1): Promise<void> {
    const from = shown ?? film.currentTime;
    const to = await neighborOf(from, by, shortest, show);
    if (to !== from) shortest = Math.min(shortest, Math.abs(to - from));
    await show(to + Math.min(shortest / 2, inside));
  }

  return {
    now,
    setIndex: (frames: Frames | null) => void (index = frames),
    /** Pauses on the frame on the screen and answers a time inside it. */
    hold(): number {
      film.pause();
      settle();
      return now();
    },
    step(by: 1 | -1): void {
      film.pause();
      settle();
      if (index) film.currentTime = middleOf(index, frameAt(index, film.currentTime) + by);
      else steps = steps.then(() => stepSeen(by));
    },
    end(): void {
      leave.abort();
      film.cancelVideoFrameCallback(next);
    },
  };
}
