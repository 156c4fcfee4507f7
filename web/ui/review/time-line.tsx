import { ActionIcon, Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconVolume, IconVolumeOff } from '../look/icons.ts';
import { type PointerEvent, useRef } from 'react';
import { useShortcut } from '../shell/shortcuts.tsx';
import type { ReviewComment } from './comments.ts';
import type { Place } from './place.ts';
import { sayPlace, sayTime } from './place-words.ts';
import type { Player } from './use-player.ts';

type Time = NonNullable<Place['time']>;
type Mark = { id: string; number: number; time: Time; place: Place };

type Props = {
  player: Player;
  comments: ReviewComment[];
  selected: string | null;
  onSelect: (id: string) => void;
  draft: { number: number; time: Time } | null;
  /** Null where one may only look. */
  onRange: ((time: Time) => void) | null;
};

/** Play, the line with its markers, speed and sound. Dragging with shift marks a range. */
export function TimeLine({ player, comments, selected, onSelect, draft, onRange }: Props) {
  const { time, duration, plays, isMuted, rate } = player;
  useShortcut(',', 'Back one frame', () => player.step(-1));
  useShortcut('.', 'On one frame', () => player.step(1));
  useShortcut(' ', 'Play and pause', player.toggle);
  const marks = comments.flatMap(({ id, number, place }): Mark[] =>
    place?.time ? [{ id, number, place, time: place.time }] : [],
  );
  return (
    <div className="time-line" role="group" aria-label="Playing">
      <ActionIcon variant="default" size={34} onClick={player.toggle} aria-label={plays ? 'Pause' : 'Play'}>
        {plays ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
      </ActionIcon>
      <span className="numbers time-now">
        <strong>{sayTime(time)}</strong> / {sayTime(Math.floor(duration))}
      </span>
      <Track {...{ player, marks, selected, onSelect, draft, onRange }} />
      {draft && onRange && time > draft.time.from + 0.05 && (
        <Button variant="default" size="xs" onClick={() => onRange({ from: draft.time.from, to: time })}>
          {`Until ${sayTime(time)}`}
        </Button>
      )}
      <Button variant="default" size="xs" px={9} onClick={player.faster} aria-label={`Speed ${rate}×`}>
        {`${rate}×`}
      </Button>
      <ActionIcon onClick={player.mute} aria-label={isMuted ? 'Sound on' : 'Sound off'}>
        {isMuted ? <IconVolumeOff size={16} /> : <IconVolume size={16} />}
      </ActionIcon>
    </div>
  );
}

type TrackProps = Omit<Props, 'comments'> & { marks: Mark[] };

function Track({ player, marks, selected, onSelect, draft, onRange }: TrackProps) {
  const { time, duration, seek } = player;
  const start = useRef<number | null>(null);
  const percent = (at: number) => `${duration > 0 ? Math.min((at / duration) * 100, 100) : 0}%`;
  const at = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(Math.max((event.clientX - left) / width, 0), 1) * duration;
  };
  return (
    <div className="track">
      <span className="track-line" />
      <span className="track-done" style={{ width: percent(time) }} />
      {[...marks, ...(draft ? [{ id: 'draft', ...draft }] : [])].map(({ id, time: { from, to } }) =>
        to === undefined ? null : (
          <span key={id} className="track-range" style={{ left: percent(from), width: percent(to - from) }} />
        ),
      )}
      <input
        type="range"
        min={0}
        max={duration || 1}
        step={0.1}
        value={time}
        aria-label="Time"
        aria-valuetext={`${sayTime(time)} of ${sayTime(Math.floor(duration))}`}
        onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
        onPointerDown={(event) => {
          if (!event.shiftKey || !onRange) return;
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          start.current = at(event);
        }}
        onPointerMove={(event) => {
          const [from, to] = [start.current ?? 0, at(event)].toSorted((first, other) => first - other) as [
            number,
            number,
          ];
          if (start.current !== null && to - from > 0.05) onRange?.({ from, to });
        }}
        onPointerUp={() => (start.current = null)}
      />
      {marks.map(({ id, number, place, time: { from } }) => (
        <button
          key={id}
          type="button"
          className={id === selected ? 'track-mark selected' : 'track-mark'}
          style={{ left: percent(from) }}
          aria-label={`${number}: ${sayPlace(place)}`}
          onClick={() => onSelect(id)}
        >
          {number}
        </button>
      ))}
      {draft && (
        <span className="track-mark selected" style={{ left: percent(draft.time.from) }} aria-hidden>
          {draft.number}
        </span>
      )}
    </div>
  );
}
