import { Flex } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { OtherStage } from './other-stage.tsx';
import { Pins } from './pins.tsx';
import type { Box } from './place.ts';
import { sayTime } from '../preview/length.ts';
import { TimeLine } from './time-line.tsx';
import { type Player, usePlayer } from './use-player.ts';
import { useSize } from './use-zoom.ts';
import type { PlacedComment, StageProps } from './view-file.ts';
import { fitView, type Size } from './zoom.ts';

/** Until the film tells its own size. A phone may wait with that until it is played. */
const assumed: Size = { width: 16, height: 9 };

export function FilmStage(props: StageProps) {
  const { file, comments, selected, onSelect, writing, onPlace, onDetail } = props;
  const film = useRef<HTMLVideoElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [picture, setPicture] = useState<Size>(assumed);
  const [isBroken, setBroken] = useState(false);
  const player = usePlayer(film);
  useMoment(props, player);
  const room = useSize(stage);
  // Small films are shown as large as the stage allows.
  const scale = room ? fitView({ width: picture.width * 100, height: picture.height * 100 }, room).scale * 100 : 0;
  const onLoad = ({ videoWidth: width, videoHeight: height, duration }: HTMLVideoElement) => {
    setPicture({ width, height });
    onDetail?.(`${width.toLocaleString()} × ${height.toLocaleString()} · ${sayTime(Math.floor(duration))}`);
  };
  const readLoaded = useEffectEvent(onLoad);
  useEffect(() => {
    // React drops events of elements that it has not shown yet.
    const element = film.current;
    if (element && element.readyState > 0) readLoaded(element);
    if (element?.error) setBroken(true);
  }, [file.url]);
  if (isBroken) return <OtherStage file={file} words="This browser cannot play the film." />;
  const shown = atTime(comments, player.time, selected);
  const placeAt = onPlace && ((box: Box) => onPlace({ time: writing?.place?.time ?? { from: player.time }, box }));
  return (
    <>
      <Flex ref={stage} className="stage swipes" align="center" justify="center" data-testid="stage">
        <div className="film" style={{ width: picture.width * scale, height: picture.height * scale }}>
          {file.url && (
            <video
              ref={film}
              src={file.url}
              preload="auto"
              playsInline
              aria-label={file.file_name}
              poster={file.poster ?? undefined}
              onLoadedMetadata={({ currentTarget }) => onLoad(currentTarget)}
              onError={() => setBroken(true)}
            />
          )}
          <Pins {...{ selected, onSelect, writing }} comments={shown} onPlace={placeAt} />
        </div>
      </Flex>
      <TimeLine {...props} player={player} />
    </>
  );
}

/** Half a second before and after, so that a pin can be seen while the film plays. */
const around = 0.5;
const atTime = (comments: PlacedComment[], now: number, selected: string | null) =>
  comments.filter(({ id, place }) => {
    const time = place?.time;
    return !time || id === selected || (now >= time.from - around && now <= (time.to ?? time.from) + around);
  });

/** A selected comment moves the film to its time; writing pauses it; `c` means now. */
export function useMoment({ comments, selected, writing, onHere }: StageProps, player: Player): void {
  const from = comments.find(({ id }) => id === selected)?.place?.time?.from;
  const goTo = useEffectEvent((time: number) => (player.pause(), player.seek(time)));
  useEffect(() => {
    if (from !== undefined) goTo(from);
  }, [from, selected]);
  const writes = writing !== null;
  const pause = useEffectEvent(player.pause);
  useEffect(() => {
    if (writes) pause();
  }, [writes]);
  const now = useEffectEvent(() => player.time);
  useEffect(() => {
    onHere?.(() => ({ time: { from: now() } }));
    return () => onHere?.(null);
  }, [onHere]);
}
