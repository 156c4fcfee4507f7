import { ActionIcon, Box, type BoxProps, Button, UnstyledButton } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconVolume, IconVolumeOff } from '../look/icons.ts';
import { type PointerEvent, useEffect, useRef } from 'react';
import { useShortcut } from '../shell/shortcuts.tsx';
import type { Timecode } from '../preview/film-index.ts';
import { sayTime } from '../preview/length.ts';
import type { Place } from './place.ts';
import { sayPlace } from './place-words.ts';
import { sayTimecode } from './timecode.ts';
import type { Player } from './use-player.ts';
import { type StageProps, stageKindOf } from './view-file.ts';

type Time = NonNullable<Place['time']>;
type Mark = { id: string; number: number; time: Time; place: Place };

/** Play, the line with its markers, speed and sound. Dragging with shift marks a range. */
export function TimeLine(props: StageProps & { player: Player; timecode?: Timecode | null; note?: string }) {
  const { file, player, comments, selected, onSelect, writing, onPlace, timecode, note } = props;
  const { time, duration, plays, isMuted, rate } = player;
  const step = stageKindOf(file) === 'video' ? 'exactly one frame' : '0.04 seconds';
  useShortcut(',', `Back by ${step}`, () => player.step(-1));
  useShortcut('.', `On by ${step}`, () => player.step(1));
  useShortcut(' ', 'Play and pause', player.toggle);
  const marks = comments.flatMap(({ id, number, place }): Mark[] =>
    place?.time && id !== writing?.id ? [{ id, number, place, time: place.time }] : [],
  );
  const draft = writing?.place?.time ? { number: writing.number, time: writing.place.time } : null;
  const onRange = onPlace && ((time: Time) => onPlace({ box: writing?.place?.box, time }));
  return (
    <div className="time-line line-above small" role="group" aria-label="Playing">
      <ActionIcon variant="default" size={34} onClick={player.toggle} aria-label={plays ? 'Pause' : 'Play'}>
        {plays ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
      </ActionIcon>
      <Box component="span" className="numbers second" miw={84}>
        <Box component="strong" className="ink" fw={500}>
          {sayTime(time)}
        </Box>
        {` / ${sayTime(Math.floor(duration))}`}
        {timecode && ` · ${sayTimecode(timecode, time)}`}
      </Box>
      {note && <span className="phone-only">{note}</span>}
      <Track {...{ player, marks, selected, onSelect, draft, onRange }} />
      {draft && onRange && time > draft.time.from + 0.05 && (
        <Button variant="default" size="xs" onClick={() => onRange({ from: draft.time.from, to: player.hold() })}>
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

type TrackProps = Pick<StageProps, 'selected' | 'onSelect'> & {
  player: Player;
  marks: Mark[];
  draft: { number: number; time: Time } | null;
  /** Null where one may only look. */
  onRange: ((time: Time) => void) | null;
};

function Track({ player, marks, selected, onSelect, draft, onRange }: TrackProps) {
  const { time, duration, seek } = player;
  const start = useRef<number | null>(null);
  const slider = useRef<HTMLInputElement>(null);
  // As a prop it would be set back before the film has gone where a key sent it.
  useEffect(() => {
    if (slider.current) slider.current.value = String(time);
  }, [time, duration]);
  const percent = (at: number) => `${duration > 0 ? Math.min((at / duration) * 100, 100) : 0}%`;
  const at = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(Math.max((event.clientX - left) / width, 0), 1) * duration;
  };
  return (
    <div className="track">
      <Line className="track-line" right={0} />
      <Line w={percent(time)} bg="var(--third)" />
      {[...marks, ...(draft ? [{ id: 'draft', ...draft }] : [])].map(({ id, time: { from, to } }) =>
        to === undefined ? null : (
          <Line key={id} top={21} h={6} left={percent(from)} w={percent(to - from)} bg="var(--ink)" />
        ),
      )}
      <Box
        component="input"
        type="range"
        pos="absolute"
        inset="12px 0 4px"
        w="100%"
        m={0}
        min={0}
        max={duration || 1}
        step={0.1}
        ref={slider}
        defaultValue={0}
        aria-label="Time"
        aria-valuetext={`${sayTime(time)} of ${sayTime(Math.floor(duration))}`}
        onInput={({ currentTarget }) => seek(Number(currentTarget.value))}
        onPointerDown={(event) => {
          if (!event.shiftKey || !onRange) return;
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          start.current = at(event);
        }}
        onPointerMove={(event) => {
          if (start.current === null) return;
          const [from, to] = [Math.min(start.current, at(event)), Math.max(start.current, at(event))];
          if (to - from > 0.05) onRange?.({ from, to });
        }}
        onPointerUp={() => (start.current = null)}
      />
      {marks.map(({ id, number, place, time: { from } }) => (
        <UnstyledButton
          key={id}
          {...lookOfMark}
          className={id === selected ? 'number selected' : 'number'}
          left={percent(from)}
          aria-label={`${number}: ${sayPlace(place)}`}
          onClick={() => onSelect(id)}
        >
          {number}
        </UnstyledButton>
      ))}
      {draft && (
        <Box component="span" {...lookOfMark} className="number selected" left={percent(draft.time.from)} aria-hidden>
          {draft.number}
        </Box>
      )}
    </div>
  );
}

const lookOfMark = { miw: 20, h: 20, fz: 11 };

const Line = (props: BoxProps) => (
  <Box component="span" pos="absolute" top={22} left={0} h={4} bdrs={2} bg="var(--strong-line)" {...props} />
);
