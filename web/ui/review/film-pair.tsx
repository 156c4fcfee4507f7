import { ActionIcon, Flex } from '@mantine/core';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { IconVolume, IconVolumeOff } from '../look/icons.ts';
import { sayTime } from '../preview/length.ts';
import type { CompareStage } from './compare-stage.tsx';
import { SideLabel, sides } from './compare-stage.tsx';
import { follow } from './film-follow.ts';
import { FilmPane, useMoment, useShownFilm } from './film-stage.tsx';
import { sayRate } from './frames.ts';
import { Pins } from './pins.tsx';
import { TimeLine } from './time-line.tsx';
import { usePlayer } from './use-player.ts';

type Props = Pick<ComponentProps<typeof CompareStage>, 'pair' | 'labels' | 'comments' | 'selected' | 'onSelect'>;
type Side = (typeof sides)[number];

/** Two films beside each other. Keys and the line of time move the longer one; the other follows. */
export function FilmPair({ pair, labels, ...pins }: Props) {
  const both = { earlier: useSide(pair.earlier), later: useSide(pair.later) };
  const { earlier, later } = both;
  const isEarlierLonger = earlier.player.duration > later.player.duration + 0.1;
  const [leader, follower] = isEarlierLonger ? [earlier, later] : [later, earlier];
  const [heard, setHeard] = useState<Side | null>('later');
  const facts = sides.map((side) => factsOf(both[side]));
  const stage = { ...pins, file: pair.later, writing: null, onPlace: null };
  const player = { ...leader.player, isMuted: heard === null, mute: () => setHeard(heard === null ? 'later' : null) };
  useMoment(stage, player);
  useEffect(() => {
    if (leader.film.current && follower.film.current) return follow(leader.film.current, follower.film.current);
    return undefined;
  }, [leader.film, follower.film, leader.shown.state, follower.shown.state, leader.shown.src, follower.shown.src]);
  return (
    <>
      <Flex flex={1} mih={0}>
        {sides.map((side, index) => (
          <div key={side} className="pane">
            <SideLabel left={12}>
              {facts[0] === facts[1] && !both[side].shown.isCopy ? labels[side] : `${labels[side]} · ${facts[index]}`}
            </SideLabel>
            <FilmPane file={pair[side]} film={both[side].film} shown={both[side].shown} isMuted={heard !== side}>
              <Pins {...pins} writing={null} onPlace={null} />
            </FilmPane>
            <Sound name={labels[side]} isOn={heard === side} onChange={(isOn) => setHeard(isOn ? side : null)} />
          </div>
        ))}
      </Flex>
      <TimeLine {...stage} player={player} timecode={leader.shown.index?.timecode} />
    </>
  );
}

function useSide(file: Props['pair']['later']) {
  const film = useRef<HTMLVideoElement>(null);
  const shown = useShownFilm(file, film);
  const player = usePlayer(film, shown.src, shown.index?.frames);
  return { film, shown, player };
}

/** "23.976 frames a second, 0:12". */
const factsOf = ({ shown, player }: ReturnType<typeof useSide>): string => {
  const frames = shown.index?.frames;
  const copy = shown.isCopy && 'copy for viewing';
  return [frames && sayRate(frames), sayTime(player.duration), copy, shown.noSound].filter(Boolean).join(', ');
};

const Sound = ({ name, isOn, onChange }: { name: string; isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <ActionIcon
    variant="default"
    pos="absolute"
    right={12}
    top={12}
    aria-label={`Sound of ${name.toLowerCase()}`}
    aria-pressed={isOn}
    onClick={() => onChange(!isOn)}
  >
    {isOn ? <IconVolume size={16} /> : <IconVolumeOff size={16} />}
  </ActionIcon>
);
