import { type RefObject, useEffect, useRef, useState } from 'react';
import { type FilmFrames, filmFrames } from './film-frames.ts';
import type { Frames } from './frames.ts';

/** Seconds of a step in a sound. */
const moment = 0.04;

const moves = ['timeupdate', 'seeking', 'seeked', 'play', 'pause', 'ended'];
const events = [...moves, 'durationchange', 'volumechange', 'ratechange'];

/** The state of a film or sound, and how to move it. `index`: the frames of a film, once they are read. */
export function usePlayer(media: RefObject<HTMLMediaElement | null>, url: string | null, index: Frames | null = null) {
  const [state, setState] = useState({ time: 0, duration: 0, plays: false, isMuted: false, rate: 1 });
  const frames = useRef<FilmFrames | null>(null);
  useEffect(() => {
    const element = media.current;
    if (!element) return;
    frames.current = hasFrames(element) ? filmFrames(element, () => element.paused && read()) : null;
    const read = () =>
      setState({
        time: frames.current?.now() ?? element.currentTime,
        duration: Number.isFinite(element.duration) ? element.duration : 0,
        plays: !element.paused,
        isMuted: element.muted,
        rate: element.playbackRate,
      });
    // It may have loaded before this.
    read();
    for (const name of events) element.addEventListener(name, read);
    // `timeupdate` comes four times a second, too seldom for a moving line.
    let next = requestAnimationFrame(function tick() {
      if (!element.paused) read();
      next = requestAnimationFrame(tick);
    });
    return () => {
      cancelAnimationFrame(next);
      frames.current?.end();
      for (const name of events) element.removeEventListener(name, read);
    };
  }, [media, url]);
  useEffect(() => frames.current?.setIndex(index), [index, url]);
  const seek = (time: number) =>
    change(media.current, ({ duration }) => ({ currentTime: Math.min(Math.max(time, 0), duration || Infinity) }));
  const pause = () => media.current?.pause();
  return {
    ...state,
    seek,
    pause,
    /** Pauses and answers a time inside the frame on the screen. */
    hold: (): number => {
      pause();
      return frames.current?.hold() ?? media.current?.currentTime ?? 0;
    },
    toggle: () => {
      if (!media.current) return;
      if (media.current.paused) void media.current.play().catch(() => {});
      else pause();
    },
    step: (by: 1 | -1) => {
      pause();
      if (frames.current) frames.current.step(by);
      else seek((media.current?.currentTime ?? 0) + by * moment);
    },
    mute: () => change(media.current, ({ muted }) => ({ muted: !muted })),
    faster: () => change(media.current, ({ playbackRate }) => ({ playbackRate: nextRate(playbackRate) })),
  };
}

/** Older browsers may lack it. */
const hasFrames = (element: HTMLMediaElement): element is HTMLVideoElement => 'requestVideoFrameCallback' in element;

export type Player = ReturnType<typeof usePlayer>;

function change(element: HTMLMediaElement | null, to: (now: HTMLMediaElement) => Partial<HTMLMediaElement>): void {
  if (element) Object.assign(element, to(element));
}

const rates = [1, 1.5, 2, 0.5];
const nextRate = (rate: number): number => rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1;
