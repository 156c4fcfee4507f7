import { type RefObject, useEffect, useState } from 'react';

/** Seconds of a frame at 25 a second; the browser does not tell the real rate. */
export const frame = 0.04;

const moves = ['timeupdate', 'seeking', 'seeked', 'play', 'pause', 'ended'];
const events = [...moves, 'durationchange', 'volumechange', 'ratechange'];

/** What a film or sound does now, and the ways to move it. */
export function usePlayer(media: RefObject<HTMLMediaElement | null>) {
  const [state, setState] = useState({ time: 0, duration: 0, plays: false, isMuted: false, rate: 1 });
  useEffect(() => {
    const element = media.current;
    if (!element) return;
    const read = () =>
      setState({
        time: element.currentTime,
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
      for (const name of events) element.removeEventListener(name, read);
    };
  }, [media]);
  const seek = (time: number) =>
    change(media.current, ({ duration }) => ({ currentTime: Math.min(Math.max(time, 0), duration || 0) }));
  const pause = () => media.current?.pause();
  return {
    ...state,
    seek,
    pause,
    toggle: () => {
      if (!media.current) return;
      if (media.current.paused) void media.current.play().catch(() => {});
      else pause();
    },
    step: (by: 1 | -1) => {
      pause();
      seek((media.current?.currentTime ?? 0) + by * frame);
    },
    mute: () => change(media.current, ({ muted }) => ({ muted: !muted })),
    faster: () => change(media.current, ({ playbackRate }) => ({ playbackRate: nextRate(playbackRate) })),
  };
}

export type Player = ReturnType<typeof usePlayer>;

function change(element: HTMLMediaElement | null, to: (now: HTMLMediaElement) => Partial<HTMLMediaElement>): void {
  if (element) Object.assign(element, to(element));
}

const rates = [1, 1.5, 2, 0.5];
const nextRate = (rate: number): number => rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1;
