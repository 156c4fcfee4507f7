import { Flex } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isShown } from '../../../contract/files/file-types.ts';
import { sayTime } from '../preview/length.ts';
import { sayCannotPlay, sayNoPicture, sayNoSound, useFilmIndex } from '../preview/film.ts';
import { OtherStage } from './other-stage.tsx';
import { Pins } from './pins.tsx';
import type { Box } from './place.ts';
import { TimeLine } from './time-line.tsx';
import { type Player, usePlayer } from './use-player.ts';
import { useSize } from './use-zoom.ts';
import { type PlacedComment, type StageProps, type ViewFile, viewingUrl } from './view-file.ts';
import { fitView, type Size } from './zoom.ts';

/** Until the film tells its own size. A phone may wait with that until it is played. */
const assumed: Size = { width: 16, height: 9 };

export function FilmStage(props: StageProps) {
  const { file, comments, selected, onSelect, writing, onPlace, onDetail } = props;
  const film = useRef<HTMLVideoElement>(null);
  const shown = useShownFilm(file, film);
  const { state, isCopy, index, detail } = shown;
  const player = usePlayer(film, shown.src, index?.frames);
  useMoment(props, player);
  const tell = useEffectEvent((words: string) => onDetail?.(words));
  useEffect(() => {
    if (detail) tell(detail);
  }, [detail]);
  const placeAt = onPlace && ((box: Box) => onPlace({ time: writing?.place?.time ?? { from: player.hold() }, box }));
  return (
    <>
      <FilmPane {...{ file, film, shown }}>
        <Pins
          {...{ selected, onSelect, writing }}
          comments={atTime(comments, player.time, selected)}
          onPlace={placeAt}
        />
      </FilmPane>
      {state !== 'silent' && (
        <TimeLine {...props} player={player} timecode={index?.timecode} note={isCopy ? copyWords : undefined} />
      )}
    </>
  );
}

const copyWords = 'Copy for viewing';

/** Milliseconds that a browser may take from "can be played" to the first frame. */
const patience = 2_000;

/** The film, or its copy for viewing where this browser cannot play it; `words` where there is neither. */
export function useShownFilm(file: ViewFile, film: RefObject<HTMLVideoElement | null>) {
  const [picture, setPicture] = useState<Size>(assumed);
  const [state, setState] = useState<'shown' | 'heard' | 'silent'>('shown');
  const [isCopy, setCopy] = useState(!isShown(file.content_type));
  const index = useFilmIndex(file, file.url);
  // The copy may be made while the stage is open.
  if (state !== 'shown' && !isCopy && file.viewing_copy === 'made') {
    setCopy(true);
    setState('shown');
  }
  const [isLost, setLost] = useState(false);
  const [length, setLength] = useState<number | null>(null);
  const onLoad = ({ videoWidth: width, videoHeight: height, duration }: HTMLVideoElement) => {
    if (width === 0) setState('heard');
    else setPicture({ width, height });
    setLength(duration);
  };
  const onError = ({ error }: HTMLVideoElement) => {
    setLost(error?.code === MediaError.MEDIA_ERR_NETWORK);
    setState('silent');
  };
  /** Of a film whose frames are missing, browsers say that it can be played. */
  const onReady = (element: HTMLVideoElement) => {
    const hasFrames = () => element.videoWidth === 0 || element.getVideoPlaybackQuality().totalVideoFrames > 0;
    if (hasFrames()) return;
    const waiting = setTimeout(() => hasFrames() || setState('heard'), patience);
    element.requestVideoFrameCallback?.(() => clearTimeout(waiting));
  };
  const readLoaded = useEffectEvent((element: HTMLVideoElement) => {
    if (element.error) onError(element);
    else if (element.readyState > 0) onLoad(element);
    if (element.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) onReady(element);
  });
  useEffect(() => {
    // React drops events of elements that it has not shown yet.
    if (film.current) readLoaded(film.current);
  }, [film, file.url]);
  // A copy may be smaller than its film.
  const { width, height } = isCopy && file.width && file.height ? { width: file.width, height: file.height } : picture;
  const size = picture !== assumed && `${width.toLocaleString()} × ${height.toLocaleString()}`;
  const noSound = index?.sound && state === 'shown' && !isCopy ? sayNoSound(index.sound) : null;
  const facts = [
    isCopy && copyWords,
    state === 'shown' ? size : index?.picture,
    sayTime(Math.floor(length ?? 0)),
    noSound,
  ];
  const detail = length === null ? '' : facts.filter(Boolean).join(' · ');
  const why = state === 'heard' ? sayNoPicture(index) : sayCannotPlay('this film', index?.picture ?? index?.sound);
  const words = isLost
    ? 'The connection broke off while the film was loading. Open it again.'
    : `${why}${file.viewing_copy === 'pending' ? ' A copy for viewing is being made.' : ''}`;
  const src = isCopy ? viewingUrl(file) : file.url;
  return { src, picture, state, isCopy, noSound, index, detail, words, onLoad, onReady, onError };
}

type PaneProps = {
  file: ViewFile;
  film: RefObject<HTMLVideoElement | null>;
  shown: ReturnType<typeof useShownFilm>;
  isMuted?: boolean;
  children: ReactNode;
};

/** A film as large as the stage allows. Without a picture it plays its sound behind the words. */
export function FilmPane({ file, film, shown, isMuted, children }: PaneProps) {
  const { src, picture, state, words, onLoad, onReady, onError } = shown;
  const stage = useRef<HTMLDivElement>(null);
  const room = useSize(stage);
  const scale = room ? fitView({ width: picture.width * 100, height: picture.height * 100 }, room).scale * 100 : 0;
  return (
    <>
      {state !== 'shown' && <OtherStage file={file} words={words} />}
      {state !== 'silent' && (
        <Flex
          ref={stage}
          className="stage swipes"
          display={state === 'heard' ? 'none' : undefined}
          align="center"
          justify="center"
          data-testid="stage"
        >
          <div
            className="film"
            style={{ position: 'relative', width: picture.width * scale, height: picture.height * scale }}
          >
            {src && (
              <video
                ref={film}
                src={src}
                preload="auto"
                playsInline
                muted={isMuted}
                aria-label={file.file_name}
                poster={file.poster ?? undefined}
                onLoadedMetadata={({ currentTarget }) => onLoad(currentTarget)}
                onCanPlay={({ currentTarget }) => onReady(currentTarget)}
                onError={({ currentTarget }) => onError(currentTarget)}
              />
            )}
            {children}
          </div>
        </Flex>
      )}
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
  const now = useEffectEvent(() => player.hold());
  useEffect(() => {
    onHere?.(() => ({ time: { from: now() } }));
    return () => onHere?.(null);
  }, [onHere]);
}
